"""The table of a load as a picture: bars of actions a second, and the p99 beside them."""

from html import escape
from typing import Any

_WIDTH, _ROW, _LEFT, _BAR = 760, 30, 250, 330


def draw(table: list[dict[str, Any]]) -> str:
    """An SVG with a bar for each row of many matches."""
    rows = [row for row in table if row["case"].isdigit()]
    most = max((row["actions_s"] for row in rows), default=1)
    height = _ROW * (len(rows) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" role="img"'
        ' font-family="sans-serif" font-size="14">'
        f"<title>Actions a second, and the p99 from sending to the opponent</title>"
        f'<rect width="{_WIDTH}" height="{height}" fill="#fff"/>'
    ]
    for index, row in enumerate(rows):
        y = _ROW * index + _ROW // 2
        width = _BAR * row["actions_s"] / most
        own = not row["server"].startswith("boardgame.io")
        label = f"{row['server']}, {row['case']} matches"
        parts.append(
            f'<text x="{_LEFT - 8}" y="{y + 15}" text-anchor="end">{escape(label)}</text>'
            f'<rect x="{_LEFT}" y="{y}" width="{width:.0f}" height="20"'
            f' fill="{"#1d5f5a" if own else "#c9bfa8"}"/>'
            f'<text x="{_LEFT + width + 8:.0f}" y="{y + 15}">{row["actions_s"]:,.0f}/s'
            + (f", p99 {row['other_p99_ms']:.0f} ms" if row.get("other_p99_ms") else "")
            + "</text>"
        )
    return "".join([*parts, "</svg>\n"])
