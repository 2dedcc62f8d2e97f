"""A plugin of pytest: tells each test over the socket that lies beside this file. It runs in pytest's own process."""

from told_channel import Channel, hide

hide("-p " + __name__)
_channel = None
_ends = {}


def pytest_configure(config):
    global _channel
    # A worker of xdist would look for this plugin by its name.
    if __name__ in (config.option.plugins or []):
        config.option.plugins.remove(__name__)
    if not hasattr(config, "workerinput"):
        _channel = Channel("pytest")


def pytest_runtest_logreport(report):
    end = "failed" if report.failed else "left" if report.skipped else "passed"
    if hasattr(report, "wasxfail"):
        end = "excused" if report.skipped else end
    order = ("passed", "excused", "left", "failed")
    known = _ends.get(report.nodeid, "passed")
    _ends[report.nodeid] = max(known, end, key=order.index)
    if report.when == "teardown" and _channel is not None:
        _channel.tell({"name": report.nodeid, "ended": _ends.pop(report.nodeid)})


def pytest_collectreport(report):
    if report.failed and _channel is not None:
        _channel.tell({"name": report.nodeid, "ended": "failed"})


def pytest_sessionfinish(session, exitstatus):
    session.config._told_end = (getattr(session, "testscollected", None), int(exitstatus))


def pytest_unconfigure(config):
    planned, status = getattr(config, "_told_end", (None, None))
    if _channel is not None and status is not None:
        _channel.tell({"planned": planned, "failed": status not in (0, 5)})
        _channel.close()
