"""Invitations to people one has played with: by e-mail, once a room, only to those who have allowed messages."""

import pytest

from tavola.club.notices import MOST_INVITATIONS, NotReachable, TooManyInvitations
from tavola.web.pages import companions
from tests.club.conftest import in_both
from tests.club.test_accounts import keep
from tests.helpers import wait_for
from tests.helpers.mail import text_of
from tests.helpers.site import MAIL_HOME


def play_together(site, host, friend, days="3"):
    """Open a match of two people and a bot; return its code."""
    code = host.create(days=days, players="3")
    friend.sit(code, "Bea")
    host.post(f"/r/{code}/fill", data={"level": "random"})
    return code


@in_both
def test_companions_are_found_in_live_matches_whatever_was_played_against_bots_since(site, ada, bea, monkeypatch):
    monkeypatch.setattr(companions, "MOST_ROOMS", 1)
    play_together(site, ada, bea, days="0")
    ada.quick()
    assert "Bea" in ada.get(f"/r/{ada.create()}/companions").text


@in_both
def test_who_only_waited_at_a_table_is_no_companion(ada, bea):
    bea.sit(ada.create(players="3"), "Bea")
    assert "Bea" not in ada.get(f"/r/{ada.create()}/companions").text


@in_both
def test_a_companion_is_invited_once_by_e_mail(site, box, ada, bea, eve):
    keep(bea, box)
    code = play_together(site, ada, bea)
    room = ada.create(days="7", **{"option-players": "4"})
    assert f'href="/r/{room}/companions"' in ada.get(f"/r/{room}").text
    page = ada.get(f"/r/{room}/companions").text
    assert f'value="{code}-1" aria-label="Invite Bea"' in page
    assert "Bruno" not in page, "bots are called in the room"
    count = len(box.emails)
    page = ada.post(f"/r/{room}/companions", data={"with": f"{code}-1"}).text
    assert "Invited" in page
    email = box.wait(count + 1)
    text = text_of(email).replace("\r\n", "\n")
    assert email["Subject"] == "Ada invites you to play Lifeboats"
    assert f"{MAIL_HOME}/r/{room}" in text
    assert "Players: 4\nWhen: Over days: 7 days per decision" in text
    assert email["List-Unsubscribe"]
    ada.post(f"/r/{room}/companions", data={"with": f"{code}-1"})
    bea.sit(room, "Bea")
    assert "at the table" in ada.get(f"/r/{room}/companions").text
    assert ada.post(f"/r/{room}/companions", data={"with": f"{code}-2"}).status_code == 400, "a bot"
    assert eve.get(f"/r/{room}/companions").status_code == 403
    assert eve.post(f"/r/{room}/companions", data={"with": f"{code}-1"}).status_code == 403, "not seated"
    assert len(box.emails) == count + 1


@in_both
def test_no_invitation_reaches_those_who_want_no_messages_or_have_muted_the_sender(site, box, ada, bea):
    code, page = play_together(site, ada, bea), f"/r/{ada.create()}/companions"
    assert "gets no messages: send the link" in ada.get(page).text, "a guest"
    keep(bea, box)
    bea.post("/account/notices", data={"manner": "none"})
    wait_for(lambda: site.room(code).names[1] == "Bea")
    assert "gets no messages: send the link" in ada.get(page).text
    assert ada.post(page, data={"with": f"{code}-1"}).status_code == 409
    bea.post("/account/notices", data={"manner": "turn"})
    assert "Invite Bea" in ada.get(page).text
    ada.post(f"/r/{code}/say", data={"text": "Hello"})
    wait_for(lambda: site.room(code).state.speakers)
    speaker = next(iter(site.room(code).state.speakers.values()))
    bea.post(f"/r/{code}/mute", data={"speaker": str(speaker), "muted": "true"})
    assert "Bea" not in ada.get(page).text


@in_both
def test_an_account_gets_a_few_invitations_a_day(site):
    """The sixth is refused, and so is one to a person without an account."""

    def add(execute):
        execute("INSERT INTO account VALUES ('a', 'p', '', 'a@b.org', 'en', 0)")
        execute("INSERT INTO account_person VALUES ('p', 'a')")

    site.run(site.hub.store.transact(add))
    club = site.app.state.site.club
    for number in range(MOST_INVITATIONS):
        site.run(club.invite("p", f"room{number}", 0))
    for person, refusal in (("p", TooManyInvitations), ("q", NotReachable)):
        with pytest.raises(refusal):
            site.run(club.invite(person, "another", 0))
