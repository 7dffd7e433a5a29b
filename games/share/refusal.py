"""Why something is not done, told to machines."""

from django.http import JsonResponse

from games.words import plain
from games.words.refusal import Refused


def refusal(refused: Refused, status: int = 400) -> JsonResponse:
    """The answer `{"error": {"code", "detail", "params"}}`; the detail is in English."""
    told = {"code": refused.code, "detail": plain(refused.words), "params": refused.params}
    return JsonResponse({"error": told}, status=status)
