"""Print docs/paper.md as PDF: python -m tests.documents.print_paper FILE"""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from pyramid_server.document_markup import parser, rendered
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.processes import PROJECT

STYLE = """
    body { font: 11pt/1.42 "Liberation Serif", "DejaVu Serif", serif; hyphens: auto; text-align: justify; }
    h1 { font-size: 18pt; margin: 0 0 6pt; } h2 { font-size: 12pt; margin: 11pt 0 4pt; break-after: avoid; }
    p, ul, ol, table, pre { margin: 0 0 5.5pt; orphans: 3; widows: 3; } ul, ol { padding-left: 16pt; }
    pre, code { font: 9pt "Liberation Mono", "DejaVu Sans Mono", monospace; }
    pre { white-space: pre-wrap; break-inside: avoid; }
    table { border-collapse: collapse; font-size: 9.8pt; break-inside: avoid; text-align: left; }
    td, th { border-bottom: 0.4pt solid #888; padding: 1.5pt 10pt 1.5pt 0; }
    a { color: inherit; text-decoration: none; }
    .anchor { display: none; }
"""
NUMBER = '<p style="width: 100%; text-align: center; font-size: 8pt"><span class="pageNumber"></span></p>'


def main(file: Path) -> None:
    html = rendered(parser().parse((PROJECT / "docs" / "paper.md").read_text()))
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
        browser.new_page() as page,
    ):
        page.set_content(f'<html lang="en"><title>A bet on foresight</title><style>{STYLE}</style>{html}')
        page.pdf(
            path=file,
            format="A4",
            margin={"top": "20mm", "bottom": "20mm", "left": "22mm", "right": "22mm"},
            display_header_footer=True,
            header_template="<p></p>",
            footer_template=NUMBER,
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
