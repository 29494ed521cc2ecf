"""Firefox, if installed, driven by WebDriver BiDi over a WebSocket, for tests that need another engine."""

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.helpers import PATIENCE

LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PREFERENCES = {
    "app.update.auto": "false",
    "browser.shell.checkDefaultBrowser": "false",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "network.captive-portal-service.enabled": "false",
    "network.connectivity-service.enabled": "false",
    "toolkit.telemetry.server": '""',
}


def executable() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._numbers = socket, count(1)
        self.command("session.new", capabilities={})
        self._page = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **parameters: Any) -> Any:
        """Return the answer to a command; events are ignored."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (answer := json.loads(self._socket.recv(PATIENCE))).get("id") != number:
            pass
        assert answer["type"] == "success", answer
        return answer["result"]

    def goto(self, address: str) -> None:
        self.command("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, function: str) -> Any:
        """Return the result of an async JavaScript function, carried as JSON."""
        expression = f"({function})().then(JSON.stringify)"
        answer = self.command(
            "script.evaluate", expression=expression, target={"context": self._page}, awaitPromise=True
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        return json.loads(answer["result"]["value"])


@contextmanager
def firefox() -> Iterator[Firefox]:
    with tempfile.TemporaryDirectory() as profile:
        with open(f"{profile}/user.js", "w", encoding="utf-8") as preferences:
            preferences.writelines(f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items())
        command = [executable(), "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
            try:
                heard = (LISTENING.search(line) for line in process.stderr)
                address = next(found[1] for found in heard if found)
                with connect(f"{address}/session", open_timeout=PATIENCE, max_size=None) as socket:
                    yield Firefox(socket)
            finally:
                process.terminate()
                process.communicate()
