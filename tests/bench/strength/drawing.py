"""The scores as a picture: a bar for each pair, and a mark at what is wanted of it."""

from html import escape
from typing import Any

_WIDTH, _ROW, _LEFT, _BAR = 760, 26, 330, 340


def draw(rows: list[dict[str, Any]]) -> str:
    """An SVG with a bar for each row, per cent of the points."""
    height = _ROW * (len(rows) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"'
        ' font-family="sans-serif" font-size="13">'
        "<title>Per cent of the points that each scores against the other</title>"
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>'
    ]
    for index, row in enumerate(rows):
        y = _ROW * index + _ROW // 2
        label = f"{row['game']}: {row['one']}, {row['other']}"
        width, wanted = (_BAR * row[key] / 100 for key in ("share", "least"))
        parts.append(
            f'<text x="{_LEFT - 8}" y="{y + 13}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{_LEFT}" y="{y}" width="{_BAR}" height="17" fill="#ece6d8"/>'
            f'<rect x="{_LEFT}" y="{y}" width="{width:.0f}" height="17" fill="#1d5f5a"/>'
            f'<path d="M{_LEFT + wanted:.0f} {y - 3}v23" stroke="#b5452c" stroke-width="2"/>'
            f'<text x="{_LEFT + _BAR + 8}" y="{y + 13}">{row["share"]:.0f} %</text>'
        )
    return "".join([*parts, "</svg>\n"])
