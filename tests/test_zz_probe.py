import pytest
from django.test import Client


@pytest.mark.django_db
def test_a():
    r = Client().post("/agentmemory/observe", data={"hookType":"post_tool_use","sessionId":"s","project":"p","cwd":"/p","timestamp":"2026-01-01T00:00:00Z","data":{"tool_name":"Bash","tool_input":{"command":"ls"},"tool_output":"zzz"}}, content_type="application/json")
    print(r.status_code, r.content)
    r = Client().post("/agentmemory/remember", data={"content":"we use tabs in this repository always"}, content_type="application/json")
    print(r.status_code, r.content)
    r = Client().post("/agentmemory/smart-search", data={"query":"tabs"}, content_type="application/json")
    print(r.status_code, r.content)
