"""A first flow with the client that openapi-python-client makes: the package `atrium` beside this file."""

import os
from io import BytesIO
from uuid import uuid4

from atrium import AuthenticatedClient, Client
from atrium.api.auth import login
from atrium.api.events import list_events
from atrium.api.files import upload_file
from atrium.api.projects import create_project
from atrium.api.tasks import create_task, update_task
from atrium.models import Credentials, Failure, ProjectDraft, TaskDraft, TaskPatch, UploadFileBody
from atrium.types import File

address = os.environ["ATRIUM"]


def done(answer):
    """The data of a success; a refusal is an error."""
    if isinstance(answer, Failure):
        raise RuntimeError(f"{answer.error.type_}: {answer.message}")
    return answer.data


session = done(login.sync(client=Client(base_url=address), body=Credentials(username="admin", password="admin123")))
client = AuthenticatedClient(base_url=address, token=session.access_token)
print("signed in")

draft = ProjectDraft(name="Gemini", code=f"G-{uuid4()}"[:30])
project = done(create_project.sync(client=client, body=draft, idempotency_key=str(uuid4())))
print("made the project", project.name)

task = done(create_task.sync(project.id, client=client, body=TaskDraft(title="Launch")))
done(update_task.sync(task.id, client=client, body=TaskPatch(version=task.version, title="Land")))
late = update_task.sync(task.id, client=client, body=TaskPatch(version=task.version, title="Late"))
print("refused with", late.error.type_ if isinstance(late, Failure) else "nothing")

note = File(payload=BytesIO(b"hello"), file_name="note.txt", mime_type="text/plain")
print("uploaded", done(upload_file.sync(client=client, body=UploadFileBody(file=note))).original_name)

events = done(list_events.sync(client=client, types="task.created", limit=1000))
print("heard of", next(event.type_ for event in events if event.subject.id == task.id))
