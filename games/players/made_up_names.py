"""Names for those who choose none: an adjective and a bird, and a number once the two are taken."""

import secrets
from collections.abc import Iterable

from games.players.lookalikes import name_key
from games.players.models import Player

# No word may say anything bad, nor where someone is from or what they look like, and no bird may have a second meaning
# that mocks anyone in English or German.
ADJECTIVES = tuple(
    str.split("""
    Agile Amber Autumn Azure Bold Breezy Bright Brisk Calm Candid Careful Cheerful Clear Clever Coastal Cosmic
    Crisp Curious Daring Deft Eager Early Earnest Faithful Famous Fearless Festive Fleet Free Fresh
    Friendly Frosty Gallant Gentle Glad Gleaming Golden Graceful Grand Happy Hardy Hearty Honest Hopeful Humble Jaunty
    Jolly Jovial Joyful Keen Lively Lofty Loyal Lucid Lucky Lunar Mellow Merry Mighty Mild Misty Modest Musical
    Neat Nimble Noble Patient Peaceful Playful Plucky Polar Polite Proud Quick Quiet Radiant Rapid Rosy Rustic
    Scarlet Serene Shining Silent Silver Sincere Smiling Snowy Solar Sparkling Spirited Spry Starry Steady
    Stellar Sterling Stormy Sturdy Sunlit Sunny Swift Thoughtful Tidal Tidy Timely Tireless Tranquil Tropical Trusty
    Upbeat Valiant Velvet Vivid Wandering Warm Watchful Whistling Windy Wintry Wise Witty Woodland Zesty
    """)
)
BIRDS = tuple(
    str.split("""
    Albatross Auk Avocet Bittern Blackbird Blackcap Bluebird Bobolink Bowerbird Brambling Bullfinch Catbird Chaffinch
    Chickadee Chough Condor Cormorant Corncrake Courser Crane Crossbill Curlew Dipper Dove Dunlin Dunnock Eagle Egret
    Eider Falcon Fantail Fieldfare Finch Firecrest Flamingo Fulmar Gadwall Godwit Goldcrest Goldeneye Goldfinch
    Goshawk Grebe Greenfinch Grosbeak Guillemot Harrier Hawfinch Heron Honeyeater Hoopoe Hornbill Hummingbird Ibis
    Jacana Jackdaw Kea Kestrel Kingbird Kingfisher Kittiwake Kookaburra Lapwing Lark Linnet Lyrebird Macaw Magpie
    Mallard Meadowlark Moorhen Motmot Nightingale Nightjar Nuthatch Oriole Osprey Ouzel Owl Partridge Pelican Penguin
    Petrel Phalarope Pheasant Pintail Pipit Plover Pochard Ptarmigan Puffin Quail Quetzal Raven Razorbill Redpoll
    Redshank Redstart Redwing Sanderling Sandpiper Shearwater Shelduck Siskin Skylark Snowfinch Sparrow Spoonbill
    Starling Stilt Stonechat Stork Sunbird Swan Tanager Teal Tern Toucan Turnstone Wagtail Warbler Waxwing Whimbrel
    Whinchat Wigeon Woodlark Wren Yellowhammer
    """)
)
# The largest number of each try; 0 is none.
TRIES = (0, 0, 0, 0, 99, 99, 9_999, 9_999)


def name_the_nameless(players: Iterable[Player]) -> None:
    """Give each new player who has no name a free one; the caller saves them."""
    nameless = [player for player in players if not player.display_name]
    tried = [_tries() for _ in nameless]
    taken = _taken(key for tries in tried for key in tries)
    for player, tries in zip(nameless, tried, strict=True):
        # The last try is taken unseen: if somebody has it, tables show both with their handles.
        key = next((key for key in tries if key not in taken), next(reversed(tries)))
        player.display_name, player.name_key = tries[key], key
        taken.add(key)


def _tries() -> dict[str, str]:
    """Return names by their keys, those without a number first."""
    return {name_key(name): name for name in map(_made_up, TRIES)}


def _made_up(most: int) -> str:
    words = f"{secrets.choice(ADJECTIVES)} {secrets.choice(BIRDS)}"
    return f"{words} {2 + secrets.randbelow(most - 1)}" if most else words


def _taken(keys: Iterable[str]) -> set[str]:
    asked = set(keys)
    return set(Player.objects.filter(name_key__in=asked).values_list("name_key", flat=True)) if asked else set()
