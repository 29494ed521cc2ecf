"""A moment counts secret steps: it orders what happened, and nothing that leaves a server can carry it."""

import json

import msgspec
import pytest
from markupsafe import Markup, escape

import tavola
from tavola.core import Moment


def test_moments_are_in_the_order_of_what_happened():
    match = tavola.load("lifeboats").match(seed=1)
    before = match.moment
    match.play(match.legal_codes(match.to_act[0])[0], match.to_act[0])
    assert before < match.moment
    assert match.moment == Moment(len(match.history))
    assert max(before, match.moment) == match.moment
    assert len({before, match.moment, Moment(before.actions)}) == 2


@pytest.mark.parametrize(
    "write",
    [
        str,
        "{}".format,
        "log-{:d}".format,
        escape,
        Markup("<li>{}</li>").format,
        json.dumps,
        msgspec.json.encode,
        lambda moment: msgspec.json.encode({"moment": moment}, enc_hook=str),
        int,
    ],
)
def test_a_moment_cannot_be_written(write):
    with pytest.raises(TypeError):
        write(Moment(84))
