/**
 * What `python3 -c` waits in, with the entry's path as its only argument. It stops before the entry is opened, and then
 * runs it as the interpreter itself would: as `__main__`, with its own argv, path, loader and nothing else in its globals.
 * Before, it loads what reads the arguments of a run, unless the skill has a module of its own by the name of one of the
 * library's. An exception is shown without the frame of this program. It ends unreleased when the descriptor is closed.
 */
export const PYTHON_GATE = `
def _skillgate(scope):
    import posix, sys
    path = sys.argv.pop()
    folder = path.rpartition("/")[0]
    first = sys.path[:1] == [""]
    if first:
        del sys.path[0]
    library = getattr(sys, "stdlib_module_names", None)
    if library and not any(name.partition(".")[0] in library for name in posix.listdir(folder)):
        import json
    posix.write(4, b"\\n")
    if posix.read(5, 1) == b"":
        posix._exit(1)
    posix.closerange(4, 6)
    sys.argv[:] = [path]
    if hasattr(sys, "orig_argv"):
        sys.orig_argv[-3:] = [path]
    if first:
        sys.path.insert(0, folder)
    loader = sys.modules["_frozen_importlib_external"].SourceFileLoader("__main__", path)
    scope["__file__"] = path
    scope["__loader__"] = loader
    if sys.version_info < (3, 15):
        scope["__cached__"] = None
    del scope["_skillgate"]
    return loader.get_data(path), path, "exec", 0, True

try:
    exec(compile(*_skillgate(globals())))
except SystemExit:
    raise
except BaseException as _skillgate:
    import sys as _skillgate_sys
    _skillgate_trace = _skillgate.__traceback__.tb_next
    _skillgate = _skillgate.with_traceback(_skillgate_trace)
    _skillgate_sys.last_type, _skillgate_sys.last_value = type(_skillgate), _skillgate
    _skillgate_sys.last_traceback = _skillgate_trace
    if _skillgate_sys.version_info >= (3, 12):
        _skillgate_sys.last_exc = _skillgate
    _skillgate_sys.excepthook(type(_skillgate), _skillgate, _skillgate_trace)
    if isinstance(_skillgate, KeyboardInterrupt):
        _skillgate_sys.excepthook = lambda *_: None
        raise
    raise SystemExit(1) from None
`;
