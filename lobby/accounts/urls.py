"""The URLs of the account pages: those of allauth that the site uses, and the site's own."""

from allauth.account import views as account
from allauth.account.decorators import reauthentication_required
from allauth.mfa.base import views as factors
from allauth.mfa.recovery_codes import views as codes
from allauth.mfa.totp import views as totp
from allauth.mfa.webauthn import views as passkeys
from django.urls import path, re_path
from django.views.generic import RedirectView

from lobby.accounts import token_views, views
from lobby.accounts.access import limit_posts, present_as_anonymous, refuse_minors, require_account
from lobby.accounts.limits import may_sign_up, may_try_code
from lobby.accounts.recovery import recover_page, words_page

urlpatterns = [
    # -- login and sign-up
    path(
        "signup/",
        present_as_anonymous(limit_posts(may_sign_up, views.SignUp.as_view())),
        name="account_signup",
    ),
    path("login/", present_as_anonymous(account.login), name="account_login"),
    path("logout/", present_as_anonymous(account.logout), name="account_logout"),
    path("inactive/", present_as_anonymous(account.account_inactive), name="account_inactive"),
    path(
        "2fa/authenticate/",
        present_as_anonymous(limit_posts(may_try_code, factors.authenticate)),
        name="mfa_authenticate",
    ),
    path(
        "2fa/webauthn/login/",
        present_as_anonymous(limit_posts(may_try_code, passkeys.login_webauthn)),
        name="mfa_login_webauthn",
    ),
    # -- access by e-mail
    path(
        "login/code/",
        present_as_anonymous(views.RequestLoginCode.as_view()),
        name="account_request_login_code",
    ),
    path(
        "login/code/confirm/",
        present_as_anonymous(limit_posts(may_try_code, account.confirm_login_code)),
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
        present_as_anonymous(limit_posts(may_try_code, account.password_reset_from_key)),
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
    # -- the player's account
    path("", require_account(views.account), name="account"),
    path("name/", views.name, name="account-name"),
    path("download/", views.download, name="account-download"),
    path("close/", views.close, name="account-close"),
    path("appeal/", views.appeals, name="appeal"),
    path("reauthenticate/", require_account(account.reauthenticate), name="account_reauthenticate"),
    path(
        "password/",
        require_account(limit_posts(may_try_code, account.password_change)),
        name="account_change_password",
    ),
    path("password/set/", require_account(account.password_set), name="account_set_password"),
    path("words/", require_account(words_page), name="recovery-words"),
    path(
        "tokens/",
        require_account(refuse_minors(reauthentication_required(token_views.tokens))),
        name="tokens",
    ),
    path("tokens/<int:pk>/revoke/", require_account(token_views.revoke_token), name="token-revoke"),
    path("applications/", require_account(token_views.applications), name="applications"),
    path(
        "applications/revoke/",
        require_account(token_views.revoke_application),
        name="application-revoke",
    ),
    path("sign-ins/read/", require_account(views.sign_ins_read), name="sign-ins-read"),
    path("email/", require_account(views.ChangeEmail.as_view()), name="account_email"),
    path("2fa/", require_account(views.Factors.as_view()), name="mfa_index"),
    path(
        "2fa/reauthenticate/",
        require_account(limit_posts(may_try_code, factors.reauthenticate)),
        name="mfa_reauthenticate",
    ),
    path(
        "2fa/totp/activate/",
        require_account(limit_posts(may_try_code, totp.activate_totp)),
        name="mfa_activate_totp",
    ),
    path("2fa/totp/deactivate/", require_account(totp.deactivate_totp), name="mfa_deactivate_totp"),
    path("2fa/webauthn/", RedirectView.as_view(pattern_name="mfa_index"), name="mfa_list_webauthn"),
    path("2fa/webauthn/add/", require_account(passkeys.add_webauthn), name="mfa_add_webauthn"),
    path(
        "2fa/webauthn/reauthenticate/",
        require_account(limit_posts(may_try_code, passkeys.reauthenticate_webauthn)),
        name="mfa_reauthenticate_webauthn",
    ),
    path(
        "2fa/webauthn/keys/<int:pk>/remove/",
        require_account(views.RemovePasskey.as_view()),
        name="mfa_remove_webauthn",
    ),
    path("2fa/codes/", require_account(codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path(
        "2fa/codes/generate/",
        require_account(codes.generate_recovery_codes),
        name="mfa_generate_recovery_codes",
    ),
    path("sessions/", require_account(views.sessions), name="usersessions_list"),
    path("sessions/<int:pk>/end/", require_account(views.end_session), name="session-end"),
]
