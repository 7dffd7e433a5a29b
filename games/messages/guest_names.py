"""Friendly names for guests, such as "Sly Fox" or "Calm Amber Otter", that are fit for a school.

Every word reads well in English, and means nothing bad in German, French or Spanish. No word is
about appearance, weight, origin or wealth. The tests check all combinations.
"""

import random

LONGEST = 18  # the most characters in a name

_MANNERS = """
Able Adept Agile Alert Alive Apt Artful Astute Avid Awake Blithe Bold Bonny Bouncy Brave Breezy
Bright Brisk Bubbly Busy Calm Candid Caring Chatty Cheery Chirpy Civil Clever Comfy Cool Cosmic
Cosy Crisp Dapper Daring Decent Deft Direct Dreamy Eager Elated Epic Fabled Fair Famed Fine
Fleet Fluent Fond Frank Free Genial Gentle Giving Glad Good Grand Great Handy Happy Hardy Hearty
Heroic Honest Humble Ideal Jaunty Jazzy Jolly Jovial Joyful Keen Kind Kindly Lively Loyal Lucid
Lucky Magic Mellow Merry Mighty Mild Modest Neat Nice Nifty Nimble Noble Peppy Placid Poetic
Poised Polite Prompt Proper Proud Quick Quiet Rapid Ready Regal Robust Roving Savvy Serene Sharp
Shiny Silent Sly Smart Snappy Solid Sound Spry Stable Steady Still Strong Suave Subtle Sunny
Super Sure Swift Tidy True Trusty Upbeat Useful Vital Vivid Warm Wise Witty Worthy Zany Zesty
Zippy
"""
MANNERS = tuple(_MANNERS.split())
"""Traits, used as the first word of every name."""

_SHADES = """
Acorn Agate Almond Alpine Amber Apple Aqua Arctic Autumn Azure Basil Beige Berry Birch Blue
Bronze Candle Carbon Citron Citrus Clay Clover Cloud Cobalt Cocoa Copper Coral Cream Cyan Daisy
Dawn Delta Denim Desert Dotted Dune Ember Fern Field Flax Floral Forest Frosty Gilded Gold
Golden Green Harbor Hazel Heath Hill Honey Icy Indigo Iris Ivory Ivy Jade Jungle Lagoon Lake
Laurel Lemon Lilac Lime Linen Lotus Lupin Mango Maple Marble Maroon Mauve Meadow Mint Mocha Moss
Mossy Myrtle Navy North Nutmeg Oaken Oat Ocean Ochre Olive Onyx Opal Orange Orchid Papaya Paper
Peach Pearl Pebble Pepper Pewter Pink Plaid Plum Polar Pond Poppy Prism Purple Quartz Rain
Ripple River Rose Rosy Ruby Russet Rustic Sandy Satin Sepia Sienna Silk Silken Silver Sky Slate
Snow Snowy Solar Spring Spruce Starry Stone Stream Sunlit Sylvan Teal Thyme Tidal Timber Toffee
Topaz Tulip Valley Velvet Violet Wheat Willow Winter Wooden Woolly Woven
"""
SHADES = tuple(_SHADES.split())
"""Colours, materials, plants, places and the like, used as the second of three words."""

_FRIENDS = """
Avocet Badger Beagle Bee Beluga Bison Bittern Bobcat Bunting Caiman Camel Caracal Cicada Civet
Coati Collie Comet Corgi Crane Cricket Curlew Deer Dingo Dipper Dolphin Dormouse Dove Dragon
Dugong Dunlin Eagle Echidna Egret Eider Eland Elk Emu Falcon Fawn Finch Firefly Foal Fox Gecko
Gibbon Giraffe Gnu Godwit Grebe Griffin Gull Hamster Hare Harrier Hawk Heron Hoopoe Ibex Ibis
Jackdaw Jaguar Jay Jerboa Kite Kiwi Koala Koi Kudu Lamb Lark Lemming Lemur Leopard Linnet Lion
Llama Lynx Macaw Magpie Mallard Mammoth Manatee Manta Margay Marlin Marten Martin Merlin Mink
Mole Moose Moth Mustang Narwhal Newt Numbat Ocelot Oriole Orca Oryx Osprey Otter Owl Panda
Pangolin Panther Parrot Pelican Penguin Perch Petrel Phoenix Pigeon Plover Pony Puffin Puma
Puppy Quail Quokka Rabbit Raven Ray Redwing Reindeer Rhea Robin Sable Saiga Salmon Siskin
Sparrow Spaniel Starling Stilt Stoat Stork Swallow Swan Tern Terrier Tiger Toucan Tuna Turtle
Unicorn Urchin Vicuna Vole Wallaby Walrus Warbler Waxwing Whippet Wigeon Wolf Wombat Wren Yak
Zebra
"""
FRIENDS = tuple(_FRIENDS.split())
"""Animals, with few exceptions, used as the last word of every name."""


def choose_guest_name(chance: random.Random, words: int) -> str:
    """Return a random name of two or three (`words`) words, up to `LONGEST` characters long."""
    while True:
        middle = (chance.choice(SHADES),) if words > 2 else ()
        name = " ".join((chance.choice(MANNERS), *middle, chance.choice(FRIENDS)))
        if len(name) <= LONGEST:
            return name
