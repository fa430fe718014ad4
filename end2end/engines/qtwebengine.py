"""A window of QtWebEngine, as wide as a phone; DevTools' protocol (QTWEBENGINE_REMOTE_DEBUGGING) operates it."""

import sys

from PySide6.QtCore import QUrl
from PySide6.QtWebEngineCore import QWebEnginePage, QWebEngineProfile, QWebEngineSettings
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QApplication

app = QApplication(sys.argv)
# Without a name it keeps nothing on the disk.
profile = QWebEngineProfile()
view = QWebEngineView()
page = QWebEnginePage(profile, view)
# A phone's take no room.
page.settings().setAttribute(QWebEngineSettings.WebAttribute.ShowScrollBars, False)
view.setPage(page)
view.resize(360, 740)
view.show()
view.load(QUrl("about:blank"))
sys.exit(app.exec())
