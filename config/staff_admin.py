"""The admin, with a door of our own."""

from django.contrib.admin.apps import AdminConfig


class StaffAdmin(AdminConfig):
    default_site = "lobby.accounts.staff_site.StaffSite"
