from __future__ import annotations

from django.urls import path

from games.web import views

app_name = "web"
urlpatterns = [
    path("", views.home, name="home"),
    path("rules/<slug:name>/", views.rule_set, name="rule-set"),
]
