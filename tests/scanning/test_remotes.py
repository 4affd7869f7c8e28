import pytest

from errorkb.scanning.remotes import repository_of, repository_of_page


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        ("https://github.com/sgl-project/sglang", "sgl-project/sglang"),
        ("https://github.com/sgl-project/sglang.git", "sgl-project/sglang"),
        ("https://github.com/sgl-project/sglang/", "sgl-project/sglang"),
        ("https://github.com/sgl-project/sglang.git/", "sgl-project/sglang"),
        ("http://www.GitHub.com/Owner/Name", "Owner/Name"),
        ("https://someone:ghp_secret@github.com/owner/name.git", "owner/name"),
        ("https://ghp_secret@github.com/owner/name", "owner/name"),
        ("git@github.com:owner/name.git", "owner/name"),
        ("github.com:owner/name", "owner/name"),
        ("org-1234@github.com:owner/name.git\n", "owner/name"),
        ("git@github.com:/owner/name.git", "owner/name"),
        ("ssh://git@github.com/owner/name.git", "owner/name"),
        ("ssh://git@ssh.github.com:443/owner/name.git", "owner/name"),
        ("git://github.com/owner/name.git", "owner/name"),
        ("git+https://github.com/owner/name.git", "owner/name"),
        ("git+ssh://git@github.com/owner/name.git", "owner/name"),
        ("https://github.com/owner/name.js", "owner/name.js"),
        ("https://gitlab.com/group/inner/name.git", "gitlab.com/group/inner/name"),
        ("git@gitlab.com:group/name.git", "gitlab.com/group/name"),
        ("https://codeberg.org/owner/name", "codeberg.org/owner/name"),
        ("https://git.example.org:8443/owner/name.git", "git.example.org/owner/name"),
        ("ssh://git@git.example.org:2222/owner/name", "git.example.org/owner/name"),
        ("git@bitbucket.org:owner/name.git", "bitbucket.org/owner/name"),
    ],
)
def test_reads_the_repository_out_of_every_form_of_a_remote(url, repository):
    assert repository_of(url) == repository


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/srv/git/name.git",
        "../owner/name",
        "file:///srv/owner/name.git",
        "C:\\owner\\name",
        "C:/owner/name",
        "https://github.com/owner",
        "https://github.com/owner/name/issues",
        "https://github.com/owner/..",
        "https://github.com/../name",
        "https://github.com/owner/na%20me",
        "https://github.com/owner/<script>",
        "work:owner/name",
        "https://localhost/owner/name",
        "https://[::1]/owner/name",
        "https://[/owner/name",
        "[::1]:owner/name",
        "ext::sh -c touch% /tmp/x",
        "javascript:owner/name/x",
        "git@host.org:~owner/name",
        "https://github.com/owner/" + "x" * 200,
        "https://git.example.org/a/b/c/d/e/f/g",
    ],
)
def test_finds_no_repository_in_other_addresses(url):
    assert repository_of(url) == ""


@pytest.mark.parametrize(
    ("url", "repository"),
    [
        ("https://github.com/django/django/issues", "django/django"),
        ("https://github.com/django/django#readme", "django/django"),
        ("https://github.com/sgl-project/sglang/tree/main/python?x=1", "sgl-project/sglang"),
        ("https://gitlab.com/group/inner/name/-/issues", "gitlab.com/group/inner/name"),
        ("https://codeberg.org/owner/name/issues", "codeberg.org/owner/name"),
        ("https://github.com/sponsors/someone", ""),
        ("https://github.com/someone", ""),
        ("https://www.djangoproject.com/foundation/board", ""),
        ("UNKNOWN", ""),
        ("", ""),
    ],
)
def test_reads_the_repository_out_of_a_projects_page(url, repository):
    assert repository_of_page(url) == repository
