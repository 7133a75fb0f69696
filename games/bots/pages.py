"""Account pages about the bots that a player owns: make one, make and end its tokens, delete it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import path
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters

from games.accounts.refusals import WrongPassword
from games.bots.bots import bots_of, create_bot, delete_own_bot, name_model, own_bot
from games.bots.forms import BotForm, DeleteBotForm, ModelForm
from games.bots.refusals import UnknownBot
from games.doors.pages import form_page, granted, see_other
from games.keys.keys import keys_of
from games.keys.pages import TokenForm, end, tokens
from games.players.models import Player
from games.players.readers import for_named, page
from games.runtime.clock import clock

PageOfBot = Callable[[HttpRequest, Player, Player], HttpResponse]


def for_owner(view: PageOfBot) -> Callable[..., HttpResponseBase]:
    """Give a page the reader and the reader's bot of a handle; there is no page about anyone else's."""

    @wraps(view)
    def shown(request: HttpRequest, owner: Player, handle: str) -> HttpResponse:
        try:
            bot = own_bot(owner, handle)
        except UnknownBot as error:
            raise Http404(str(error)) from error
        return view(request, owner, bot)

    return for_named(shown)


@form_page
@for_named
def bots(request: HttpRequest, owner: Player) -> HttpResponse:
    """List the reader's bots, or make one, whose token is shown only once."""
    form, made, now = BotForm(request.POST or None), None, clock.now()
    if form.is_valid():
        named = form.cleaned_data["handle"], form.cleaned_data["display_name"] or None
        made = granted(form, lambda: create_bot(owner, *named, request, now))
    shown = {
        "bots": bots_of(owner, now),
        "form": BotForm() if made else form,
        "made": made,
        "most": settings.PYRAMID_BOTS_PER_PLAYER,
    }
    return page(request, "games/bots.html", shown, section="account")


@form_page
@for_owner
def bot(request: HttpRequest, owner: Player, bot: Player) -> HttpResponse:
    """List the tokens of a bot, end one, make one, which is shown only once, or say which language model plays it."""
    if "end" in request.POST:
        return end(request, bot, see_other("web:bot", bot.username))
    model = ModelForm(request.POST if "model" in request.POST else None, initial={"model": bot.model})
    if model.is_valid() and granted(model, lambda: name_model(bot, model.cleaned_data["model"])) is not None:
        return see_other("web:bot", bot.username)
    made = {} if model.is_bound else tokens(request, bot)
    shown = {"bot": bot, "model_form": model, "keys": keys_of(bot), "form": TokenForm(), **made}
    return page(request, "games/bot.html", shown, section="account")


@form_page
@sensitive_post_parameters()
@for_owner
def delete_bot(request: HttpRequest, owner: Player, bot: Player) -> HttpResponse:
    """Delete a bot, after a yes and the password of its owner."""
    form, name = DeleteBotForm(owner, request.POST or None), bot.display_name
    if form.is_valid():
        asked = bot.username, form.own_password
        deleted = granted(
            form, lambda: delete_own_bot(owner, *asked, request, clock.now()), {WrongPassword: "password"}
        )
        if deleted is not None:
            messages.success(request, gettext("%(name)s is deleted.") % {"name": name})
            return see_other("web:bots")
    return page(request, "games/delete_bot.html", {"form": form, "bot": bot}, section="account")


urlpatterns = [
    path("account/bots/", bots, name="bots"),
    path("account/bots/<slug:handle>/", bot, name="bot"),
    path("account/bots/<slug:handle>/delete/", delete_bot, name="delete-bot"),
]
