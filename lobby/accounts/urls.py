"""The accounts' addresses: each page of allauth that the site uses, and who may see it."""

from allauth.account import views as account
from allauth.account.decorators import reauthentication_required
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from django.urls import path, re_path
from django.views.generic import RedirectView

from lobby.accounts import account_views, application_views, token_views, views
from lobby.accounts.access import for_accounts, limited, present_as_anonymous
from lobby.accounts.limits import may_sign_up, may_try_code
from lobby.accounts.recovery_views import recover_page, words_page

urlpatterns = [
    # -- at the door
    path(
        "signup/",
        present_as_anonymous(limited(may_sign_up, views.SignUp.as_view())),
        name="account_signup",
    ),
    path("login/", present_as_anonymous(account.login), name="account_login"),
    path("logout/", present_as_anonymous(account.logout), name="account_logout"),
    path("inactive/", present_as_anonymous(account.account_inactive), name="account_inactive"),
    path(
        "2fa/authenticate/",
        present_as_anonymous(limited(may_try_code, factors.authenticate)),
        name="mfa_authenticate",
    ),
    path(
        "2fa/webauthn/login/",
        present_as_anonymous(limited(may_try_code, passkeys.login_webauthn)),
        name="mfa_login_webauthn",
    ),
    # -- back in by mail
    path(
        "login/code/",
        present_as_anonymous(views.RequestLoginCode.as_view()),
        name="account_request_login_code",
    ),
    path(
        "login/code/confirm/",
        present_as_anonymous(limited(may_try_code, account.confirm_login_code)),
        name="account_confirm_login_code",
    ),
    path(
        "password/reset/",
        present_as_anonymous(views.PasswordReset.as_view()),
        name="account_reset_password",
    ),
    path(
        "password/reset/done/",
        present_as_anonymous(account.password_reset_done),
        name="account_reset_password_done",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        present_as_anonymous(limited(may_try_code, account.password_reset_from_key)),
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        present_as_anonymous(account.password_reset_from_key_done),
        name="account_reset_password_from_key_done",
    ),
    path(
        "confirm-email/",
        present_as_anonymous(account.email_verification_sent),
        name="account_email_verification_sent",
    ),
    re_path(
        r"^confirm-email/(?P<key>[-:\w]+)/$",
        present_as_anonymous(views.ConfirmEmail.as_view()),
        name="account_confirm_email",
    ),
    path("recovery/", present_as_anonymous(recover_page), name="recovery"),
    # -- one's own account
    path("", for_accounts(views.account), name="account"),
    path("name/", account_views.name, name="account-name"),
    path("download/", account_views.download, name="account-download"),
    path("close/", account_views.close, name="account-close"),
    path("appeal/", account_views.appeals, name="appeal"),
    path("reauthenticate/", for_accounts(account.reauthenticate), name="account_reauthenticate"),
    path(
        "password/",
        for_accounts(limited(may_try_code, account.password_change)),
        name="account_change_password",
    ),
    path("password/set/", for_accounts(account.password_set), name="account_set_password"),
    path("words/", for_accounts(words_page), name="recovery-words"),
    path("tokens/", for_accounts(reauthentication_required(token_views.tokens)), name="tokens"),
    path("tokens/<int:pk>/revoke/", for_accounts(token_views.revoke), name="token-revoke"),
    path("applications/", for_accounts(application_views.applications), name="applications"),
    path(
        "applications/revoke/",
        for_accounts(application_views.revoke),
        name="application-revoke",
    ),
    path("sign-ins/read/", for_accounts(views.sign_ins_read), name="sign-ins-read"),
    path("email/", for_accounts(views.Email.as_view()), name="account_email"),
    path("2fa/", for_accounts(views.Factors.as_view()), name="mfa_index"),
    path(
        "2fa/reauthenticate/",
        for_accounts(limited(may_try_code, factors.reauthenticate)),
        name="mfa_reauthenticate",
    ),
    path(
        "2fa/totp/activate/",
        for_accounts(limited(may_try_code, totp.activate_totp)),
        name="mfa_activate_totp",
    ),
    path("2fa/totp/deactivate/", for_accounts(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("2fa/webauthn/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("2fa/webauthn/add/", for_accounts(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path(
        "2fa/webauthn/reauthenticate/",
        for_accounts(limited(may_try_code, passkeys.reauthenticate_webauthn)),
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        "2fa/webauthn/keys/<int:pk>/remove/",
        for_accounts(views.RemovePasskey.as_view()),
        name="mfa_remove_webauthn",
    ),
    path("2fa/codes/", for_accounts(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "2fa/codes/generate/",
        for_accounts(codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path("sessions/", for_accounts(views.sessions), name="usersessions_list"),
    path("sessions/<int:pk>/end/", for_accounts(views.end_session), name="session-end"),
]
