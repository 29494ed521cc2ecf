"""The network between one worker and the database is cut: people see errors, no answer is wrong, and play resumes."""

import contextlib

from tavola.store.postgres import writer
from tavola.store.postgres.connections import run_with_retry
from tests.helpers.failures import FaultyProxy
from tests.helpers.postgres import PostgresServer
from tests.helpers.rooms import wait_until
from tests.helpers.site import site_at


def test_a_cut_between_a_worker_and_the_database(postgres: PostgresServer, served: str, monkeypatch):
    with (
        contextlib.closing(FaultyProxy(postgres.socket)) as cable,
        site_at(served) as near,
        site_at(postgres.over_tcp(served, cable.port)) as far,
        near.guest() as ada,
        far.guest() as bruno,
    ):
        code = ada.create(name="Ada", **{"option-players": "3"})
        bruno.sit(code, "Bea")
        here, there = near.room(code), far.room(code)
        near.run(wait_until(lambda: there.state.seq == here.state.seq))
        cable.refuses = True
        cable.hold()
        with monkeypatch.context() as impatient:
            impatient.setattr(writer, "STATEMENT_TIMEOUT", 2.0)
            impatient.setattr(run_with_retry, "__defaults__", (2.0,))
            said = bruno.post(f"/r/{code}/say", data={"text": "can you hear me?"})
            assert said.status_code == 503
            assert "saved" in said.text
            assert bruno.get("/health").status_code == 503
            assert bruno.get("/r/bakvintal").status_code == 503, "what is not known is not denied"
            assert bruno.get(f"/r/{code}").status_code == 200
        # People at the other worker play on.
        ada.post(f"/r/{code}/fill", data={"level": "random"})
        assert here.state.phase == "playing"
        near.run(wait_until(lambda: code in near.hub.leases))
        assert there.state.phase == "gathering"
        cable.refuses = False
        cable.cut()
        near.run(wait_until(lambda: there.state.seq == here.state.seq))
        assert there.state.phase == "playing"
        assert bruno.post(f"/r/{code}/say", data={"text": "there you are"}).status_code == 200
        assert bruno.get("/health").status_code == 200
        texts = [event.body["text"] for event in near.hub.store.events(code) if event.kind == "said"]
        assert texts in (["there you are"], ["can you hear me?", "there you are"])
