"""Names in plain-text contexts of templates: `{{ name|isolated }}`."""

from django import template

from games.messages.names import isolate_name

register = template.Library()
register.filter("isolated", isolate_name)
