PREVIEW = "/admin/errorkb/errorentry/preview/"


def test_a_text_is_shown_as_readers_will_see_it(viewer):
    response = viewer.post(PREVIEW, {"text": "Use `f` and <b>x</b>\r\n\r\n- one\r\n- [bad](javascript:x)"})
    html = response.content.decode()
    assert response["Content-Type"].startswith("text/html")
    assert "<code>f</code> and &lt;b&gt;x&lt;/b&gt;" in html
    assert "<li>one</li>" in html
    assert "javascript:" not in html.replace("(javascript:x)", "")


def test_nothing_is_shown_of_nothing(viewer):
    assert viewer.post(PREVIEW).content == b""


def test_a_preview_is_asked_for_by_post(viewer):
    assert viewer.get(PREVIEW).status_code == 405
