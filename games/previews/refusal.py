"""Why something is not done, told to machines."""

from django.http import JsonResponse

from games.messages import render_english
from games.messages.refusal import Refused


def refusal(refused: Refused, status: int = 400) -> JsonResponse:
    """The answer `{"error": {"code", "detail", "params"}}`; the detail is in English."""
    told = {"code": refused.code, "detail": render_english(refused.words), "params": refused.params}
    return JsonResponse({"error": told}, status=status)
