"""Names in templates, where no element can keep them apart: `{{ name|isolated }}`."""

from django import template

from games.words.names import isolated

register = template.Library()
register.filter("isolated", isolated)
