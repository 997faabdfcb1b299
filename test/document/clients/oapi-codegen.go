// A first flow with the client that oapi-codegen makes in the package main.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

func main() {
	ctx := context.Background()
	token := ""
	signed := func(_ context.Context, request *http.Request) error {
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		return nil
	}
	client, err := NewClientWithResponses(os.Getenv("ATRIUM"), WithRequestEditorFn(signed))
	must(err)

	session, err := client.LoginWithResponse(ctx, nil, Credentials{Username: "admin", Password: "admin123"})
	must(err)
	token = session.JSON200.Data.AccessToken
	fmt.Println("signed in")

	code := fmt.Sprintf("G-%d", time.Now().UnixNano())
	project, err := client.CreateProjectWithResponse(ctx, &CreateProjectParams{IdempotencyKey: code}, ProjectDraft{Name: "Gemini", Code: code})
	must(err)
	fmt.Println("made the project", project.JSON201.Data.Name)

	created, err := client.CreateTaskWithResponse(ctx, project.JSON201.Data.Id, nil, TaskDraft{Title: "Launch"})
	must(err)
	task := created.JSON201.Data
	land, late := "Land", "Late"
	_, err = client.UpdateTaskWithResponse(ctx, task.Id, nil, TaskPatch{Version: &task.Version, Title: &land})
	must(err)
	refused, err := client.UpdateTaskWithResponse(ctx, task.Id, nil, TaskPatch{Version: &task.Version, Title: &late})
	must(err)
	fmt.Println("refused with", refused.JSON409.Error.Type)

	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "note.txt")
	must(err)
	part.Write([]byte("hello"))
	form.Close()
	file, err := client.UploadFileWithBodyWithResponse(ctx, nil, form.FormDataContentType(), &body)
	must(err)
	fmt.Println("uploaded", file.JSON201.Data.OriginalName)

	types, limit := "task.created", 1000
	events, err := client.ListEventsWithResponse(ctx, &ListEventsParams{Types: &types, Limit: &limit})
	must(err)
	for _, event := range events.JSON200.Data {
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
