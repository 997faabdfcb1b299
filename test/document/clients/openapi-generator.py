"""A first flow with the client that OpenAPI Generator makes: the package `openapi_client` beside this file."""

import os
from uuid import uuid4

from openapi_client import (
    ApiClient, AuthApi, Configuration, Credentials, EventsApi, FilesApi, ProjectDraft, ProjectsApi, TaskDraft, TaskPatch,
    TasksApi,
)
from openapi_client.exceptions import ConflictException

settings = Configuration(host=os.environ["ATRIUM"])
client = ApiClient(settings)

credentials = Credentials(username="admin", password="admin123")
settings.access_token = AuthApi(client).login(credentials).data.access_token
print("signed in")

draft = ProjectDraft(name="Gemini", code=f"G-{uuid4()}"[:30])
project = ProjectsApi(client).create_project(idempotency_key=str(uuid4()), project_draft=draft).data
print("made the project", project.name)

tasks = TasksApi(client)
task = tasks.create_task(project.id, TaskDraft(title="Launch")).data
tasks.update_task(task.id, TaskPatch(version=task.version, title="Land"))
try:
    tasks.update_task(task.id, TaskPatch(version=task.version, title="Late"))
except ConflictException as conflict:
    print("refused with", conflict.data.error.type.value)

print("uploaded", FilesApi(client).upload_file(("note.txt", b"hello")).data.original_name)

events = EventsApi(client).list_events(types="task.created", limit=1000).data
print("heard of", next(event.type.value for event in events if event.subject.id == task.id))
