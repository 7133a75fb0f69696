"""The look of the cards, the clock, kings and sounds are as the player wants them, on this device."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import NewPage
from tests.browser.player import button, expect_dealt, free_cards, open_practice, resign, run_until, version
from tests.browser.test_every_page import SCHEMES

CARD_COLOUR = "getComputedStyle(document.querySelector('.card.free')).backgroundColor"
LIGHT = """
    const linear = (own) => (own <= 0.04 ? own / 12.92 : ((own + 0.055) / 1.055) ** 2.4);
    const light = (colour) => {
        const most = colour.startsWith('rgb') ? 255 : 1;
        const [r, g, b] = colour.match(/[0-9.]+/g).map((own) => linear(own / most));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const contrast = (one, other) => Math.max(light(one) / light(other), light(other) / light(one));
"""
# The contrast of each suit with free and covered cards in each theme, with two colours and with four.
SUIT_CONTRASTS = f"""() => {{ {LIGHT}
    const root = document.documentElement, card = document.querySelector('#table .card'), found = {{}};
    for (const theme of ['', 'papyrus', 'plain']) for (const colours of ['', 'four']) for (const suit of 'cdhs')
        for (const state of ['', 'free']) {{
            Object.assign(root.dataset, {{ theme, options: colours }});
            card.className = `card ${{suit}} ${{state}}`;
            const {{ color, backgroundColor }} = getComputedStyle(card);
            found[[theme, colours, suit, state].join(' ')] = contrast(color, backgroundColor);
        }}
    return found;
}}"""
# The contrast of words with every colour of the gradient on which they stand.
ON_GRADIENTS = [
    *("div.felt-panel.streak-panel > b.big", "div.felt-panel.streak-panel > p.suns > i"),
    *(
        "div.won > div.triumph > h2",
        "div.won > div.triumph > p.standing > b",
        "div.won > div.triumph > p.standing > span",
    ),
]
WORDS_ON_GRADIENTS = f"""(paths) => {{ {LIGHT}
    const inside = (parent, part) => {{
        const [name, ...classes] = part.split('.');
        const made = document.createElement(name);
        made.className = classes.join(' ');
        return parent.appendChild(made);
    }};
    const found = {{}};
    for (const path of paths) {{
        const words = path.split(' > ').reduce(inside, document.body);
        const {{ backgroundImage }} = getComputedStyle(words.closest('.streak-panel, .triumph'));
        for (const stop of backgroundImage.match(/(rgb|color)\\([^)]*\\)/g))
            found[`${{path}} ${{stop}}`] = contrast(getComputedStyle(words).color, stop);
    }}
    return found;
}}"""
LEAST_CONTRAST = 4.5
RING_CONTRAST = f"""() => {{ {LIGHT}
    const [ring, strip] = ['.says :focus-visible', '.says'].map((one) => getComputedStyle(document.querySelector(one)));
    return contrast(ring.outlineColor, strip.backgroundColor);
}}"""
LEAST_CONTRAST_OF_RINGS = 3
COUNT_TONES = """window.tones = [];
    AudioContext.prototype.createGain = new Proxy(AudioContext.prototype.createGain, { apply(make, audio) {
        const gain = make.call(audio);
        tones.push(gain);
        return gain;
    } });"""


def choose(page: Page, *labels: str) -> None:
    page.goto("/settings/")
    for label in labels:
        page.get_by_label(label).check()
    expect(page.get_by_text("Saved.")).to_be_visible()


def has_a_free_king(page: Page) -> bool:
    return any(card.startswith("King") for card in free_cards(page))


def open_with_a_free_king(page: Page) -> None:
    """Deal practice games until a king lies free."""
    for _ in range(40):
        open_practice(page)
        if has_a_free_king(page):
            return
    raise AssertionError("no king is ever free")


def test_a_theme_is_shown_before_it_is_chosen_and_kept_afterwards(page: Page, complaints: list[str]) -> None:
    page.goto("/settings/")
    samples = page.locator(".sample .card.free")
    expect(samples).to_have_count(3)
    colours = samples.evaluate_all("all => all.map((card) => getComputedStyle(card).backgroundColor)")
    backs = page.locator(".sample .card.back").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).backgroundColor)"
    )
    assert len(set(colours)) == len(set(backs)) == 3
    open_practice(page)
    game = page.url
    for theme, colour in zip(("Papyrus", "Large and plain", "Classic"), (*colours[1:], colours[0]), strict=True):
        choose(page, theme)
        expect(page.get_by_label(theme)).to_be_checked()
        page.goto("/")
        assert (
            page.locator(".bk-field").first.evaluate("one => getComputedStyle(one).fill")
            == backs[colours.index(colour)]
        )
        page.goto(game)
        expect_dealt(page)
        assert page.evaluate(CARD_COLOUR) == colour
    assert complaints == []


def test_by_day_and_by_night_the_ring_of_the_focus_stands_out_and_words_from_gradients_and_suits_from_every_card(
    page: Page,
) -> None:
    open_practice(page)
    resign(page)
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Result")).to_be_focused()
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(RING_CONTRAST) >= LEAST_CONTRAST_OF_RINGS
    for script, most in ((WORDS_ON_GRADIENTS, 10), (SUIT_CONTRASTS, 3 * 2 * 4 * 2 - 1)):  # which changes the theme
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate(script, ON_GRADIENTS)
            assert len(found) > most
            assert {what: ratio for what, ratio in found.items() if ratio < LEAST_CONTRAST} == {}, scheme


def test_beside_a_hidden_clock_kings_go_by_themselves_and_stay_where_they_were_taken_back_to(page: Page) -> None:
    choose(page, "Hide the clock", "Kings go by themselves")
    page.clock.install()
    open_with_a_free_king(page)
    expect(page.locator(".nums [data-figure=moves]")).to_be_visible()
    times: Locator = page.locator("[data-figure=time]")
    assert [times.nth(at).is_visible() for at in range(times.count())] == [False, False]
    run_until(page, lambda: not has_a_free_king(page))
    gone = version(page)
    assert gone > 0
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator("[data-figure=moves]").first).to_have_text(str(gone + 1))
    page.clock.run_for(10_000)
    assert version(page) == gone + 1
    assert has_a_free_king(page)


def test_sounds_are_off_and_as_loud_as_one_wants(page: Page) -> None:
    page.add_init_script(COUNT_TONES)
    open_practice(page)
    button(page, "stock").click()
    assert page.evaluate("tones.length") == 0
    page.goto("/settings/")
    volume = page.get_by_label("Sounds")
    volume.fill("3")
    expect(page.get_by_text("Saved.")).to_be_visible()
    quiet = page.evaluate("tones.length")
    assert quiet > 0
    volume.fill("10")
    expect(page.locator("#loudness")).to_have_text("10")
    page.reload()
    expect(volume).to_have_value("10")
    expect(page.locator("html")).to_have_attribute("data-options", re.compile("^$"))
    open_practice(page)
    button(page, "stock").click()
    assert page.evaluate("tones.length") > 0


def test_with_forced_colours_what_alice_has_chosen_and_the_day_of_today_stand_out(new_page: NewPage) -> None:
    page = new_page(forced_colors="active")
    page.goto("/settings/")
    night, day = (page.locator(".choice label", has_text=name) for name in ("Night", "Day"))
    night.click()
    colours = [one.locator("span").evaluate("(one) => getComputedStyle(one).backgroundColor") for one in (night, day)]
    assert colours[0] != colours[1]
    page.goto("/days/")
    expect(page.locator(".day.today")).to_have_css("outline-style", "solid")
