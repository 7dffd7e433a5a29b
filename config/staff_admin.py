"""The admin, with an `AdminSite` that requires a second factor."""

from django.contrib.admin.apps import AdminConfig


class StaffAdmin(AdminConfig):
    default_site = "lobby.accounts.staff_site.StaffSite"
