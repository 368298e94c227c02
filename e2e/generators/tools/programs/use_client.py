"""Uses what openapi-python-client makes of the document."""

import json
import os
from io import BytesIO

from standardwebhooks.webhooks import Webhook
from waypost_client import AuthenticatedClient
from waypost_client.api.messages import get_message, list_messages, send_message
from waypost_client.api.uploads import create_upload
from waypost_client.models import (
    DestinationNumber,
    ErrorEnvelope,
    MessageSentEvent,
    SendMessageResponse,
    SendTextMessage,
    TextObject,
)
from waypost_client.types import File

settings = json.loads(os.environ["SETTINGS"])
client = AuthenticatedClient(base_url=settings["baseUrl"], token=settings["key"])


def check(condition: bool, step: str) -> None:
    if not condition:
        raise SystemExit(f"The step failed: {step}")
    print(step)


def message(text: str) -> SendTextMessage:
    return SendTextMessage(
        client_message_id="python-1",
        type_="text",
        to=DestinationNumber(kind="whatsapp", handle=settings["handle"]),
        text=TextObject(body=text),
    )


sent = send_message.sync_detailed(client=client, body=message("Hello"))
check(sent.status_code == 201 and isinstance(sent.parsed, SendMessageResponse), "sends")
again = send_message.sync(client=client, body=message("Hello"))
check(isinstance(again, SendMessageResponse) and again.deduplicated, "sends again")
refused = send_message.sync_detailed(client=client, body=message("Something else"))
check(
    isinstance(refused.parsed, ErrorEnvelope) and refused.parsed.error.code == "idempotency_key_reused",
    "is refused",
)

found = get_message.sync(id=str(sent.parsed.message_id), client=client)
check(found.client_message_id == "python-1", "gets")
listed = list_messages.sync(client=client, limit=1)
check(len(listed.data) == 1, "lists")
pdf = File(payload=BytesIO(b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"))
uploaded = create_upload.sync(client=client, body=pdf)
check(uploaded.mime_type == "application/pdf", "uploads")

webhook = settings["webhook"]
event = MessageSentEvent.from_dict(Webhook(webhook["secret"]).verify(webhook["body"], webhook["headers"]))
check(event.data.delivery_state == "sent", "verifies")
