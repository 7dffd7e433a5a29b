"""QR codes as SVG, without styles or external references."""

import qrcode
from django.utils.html import format_html
from django.utils.safestring import SafeString


def draw_qr_code(text: str, label: str) -> SafeString:
    """Draw the QR code of a text. `label` is its description for screen readers."""
    code = qrcode.QRCode(border=3)
    code.add_data(text)
    rows = code.get_matrix()
    return format_html(
        '<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="{1}">'
        '<rect width="{0}" height="{0}" fill="#fff"/><path d="{2}" fill="#000"/></svg>',
        len(rows),
        label,
        "".join(_draw_row(y, row) for y, row in enumerate(rows)),
    )


def _draw_row(y: int, row: list[bool]) -> str:
    """Return the SVG path of a row, with one rectangle for each run of dark modules."""
    path, start = "", 0
    for x, is_dark in enumerate([*row, False]):
        if not is_dark:
            if x > start:
                path += f"M{start} {y}h{x - start}v1h{start - x}z"
            start = x + 1
    return path
