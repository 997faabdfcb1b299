// A first flow with the client that OpenAPI Generator makes: the module atrium, as the package openapi.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	openapi "atrium"
)

func main() {
	settings := openapi.NewConfiguration()
	settings.Servers = openapi.ServerConfigurations{{URL: os.Getenv("ATRIUM")}}
	client := openapi.NewAPIClient(settings)

	session, _, err := client.AuthAPI.Login(context.Background()).Credentials(*openapi.NewCredentials("admin", "admin123")).Execute()
	must(err)
	ctx := context.WithValue(context.Background(), openapi.ContextAccessToken, session.Data.AccessToken)
	fmt.Println("signed in")

	code := fmt.Sprintf("G-%d", time.Now().UnixNano())
	draft := openapi.NewProjectDraft("Gemini", code)
	project, _, err := client.ProjectsAPI.CreateProject(ctx).IdempotencyKey(code).ProjectDraft(*draft).Execute()
	must(err)
	fmt.Println("made the project", project.Data.Name)

	created, _, err := client.TasksAPI.CreateTask(ctx, project.Data.Id).TaskDraft(*openapi.NewTaskDraft("Launch")).Execute()
	must(err)
	task := created.Data
	land, late := "Land", "Late"
	_, _, err = client.TasksAPI.UpdateTask(ctx, task.Id).TaskPatch(openapi.TaskPatch{Version: &task.Version, Title: &land}).Execute()
	must(err)
	_, _, err = client.TasksAPI.UpdateTask(ctx, task.Id).TaskPatch(openapi.TaskPatch{Version: &task.Version, Title: &late}).Execute()
	var refusal *openapi.GenericOpenAPIError
	if errors.As(err, &refusal) {
		failure := refusal.Model().(openapi.Failure)
		fmt.Println("refused with", failure.Error.Type)
	}

	must(os.WriteFile("note.txt", []byte("hello"), 0o600))
	note, err := os.Open("note.txt")
	must(err)
	file, _, err := client.FilesAPI.UploadFile(ctx).File(note).Execute()
	must(err)
	fmt.Println("uploaded", file.Data.OriginalName)

	events, _, err := client.EventsAPI.ListEvents(ctx).Types("task.created").Limit(1000).Execute()
	must(err)
	for _, event := range events.Data {
		if event.Subject.Id == task.Id {
			fmt.Println("heard of", event.Type)
			break
		}
	}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
