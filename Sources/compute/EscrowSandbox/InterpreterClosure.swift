import EscrowFiles
import Glibc

/// What an interpreter needs of this machine: itself, its loader, the libraries that these ask for, and its standard
/// library without what no plugin can use. Nothing else of the machine comes into a run's root.
struct InterpreterClosure {
    /// One thing of the root, by its path there.
    enum Item: Equatable {
        case directory
        case link(to: String)
        /// A copy of the machine's file of that path.
        case file(of: String)
    }

    /// In an order in which they can be made.
    private(set) var items: [(path: String, item: Item)] = []
    /// The folders that were searched: a change there may change the closure.
    private(set) var folders: Set<String> = []
    private var known: [String: Item] = [:]
    private var libraries: Set<String> = []

    /// Where the dynamic loader looks by itself: there is no cache of libraries in the root.
    private static let libraryFolders = [
        "/lib/\(RootPlan.multiarch)", "/usr/lib/\(RootPlan.multiarch)", "/lib64", "/usr/lib64", "/lib",
        "/usr/lib",
    ]

    /// Folders and modules of Python's library that need a display, a terminal or a daemon, build or test Python itself,
    /// or are another copy of what the root has. Their names end where the interpreter's own suffixes begin.
    private static let unused: Set<String> = [
        "__pycache__", "curses", "dist-packages", "distutils", "ensurepip", "idlelib", "lib2to3",
        "pydoc_data", "site-packages", "test", "tests", "tkinter", "turtle", "turtledemo", "venv", "_curses",
        "_curses_panel", "_dbm", "_gdbm", "_tkinter", "nis", "ossaudiodev", "readline", "xxlimited",
        "xxlimited_35", "_xxtestfuzz", "_ctypes_test",
    ]

    /// Collects it. What is not there is left out: a module whose library is missing cannot be imported, as outside.
    init(of interpreter: Interpreter) {
        add(interpreter.path)
        if let loader = interpreter.loaderName {
            add(loader)
            addLibraries(of: interpreter.path)
            // glibc loads it by name, when a thread ends itself.
            addLibrary("libgcc_s.so.1")
            // Empty since glibc 2.34, and named by every module of a wheel that was built for an older one.
            for name in ["libpthread.so.0", "libdl.so.2", "librt.so.1", "libutil.so.1"]
            where !interpreter.trees.isEmpty { addLibrary(name) }
        }
        for tree in interpreter.trees where Self.kind(tree) == S_IFDIR {
            let version = tree.split(separator: "/").last?.drop { !$0.isNumber }.filter { $0 != "." } ?? ""
            add(tree)
            addModules(in: tree, tag: "cpython-\(version)")
        }
    }

    /// Adds what a path leads to, with each directory and link on the way; its real path, where there is something.
    @discardableResult private mutating func add(_ path: String) -> String? {
        var rest = Array(path.split(separator: "/").reversed())
        var current = ""
        var links = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                current = current.lastIndex(of: "/").map { String(current[..<$0]) } ?? ""
                continue
            }
            let next = "\(current)/\(part)"
            guard let item = known[next] ?? look(at: next) else { return nil }
            guard case .link(let target) = item else {
                current = next
                continue
            }
            links += 1
            guard links <= 32 else { return nil }
            rest += target.split(separator: "/").reversed()
            if target.hasPrefix("/") { current = "" }
        }
        return current
    }

    /// Adds one thing whose folder is there already.
    private mutating func look(at path: String) -> Item? {
        switch Self.kind(path) {
        case S_IFDIR: put(path, .directory)
        case S_IFREG: put(path, .file(of: path))
        case S_IFLNK:
            guard let target = linkTarget(path) else { return nil }
            put(path, .link(to: target))
        default: return nil
        }
        return known[path]
    }

    private mutating func put(_ path: String, _ item: Item) {
        guard known.updateValue(item, forKey: path) == nil else { return }
        items.append((path, item))
        let source = if case .file(let source) = item { source } else { path }
        if let slash = source.lastIndex(of: "/"), slash > source.startIndex {
            folders.insert(String(source[..<slash]))
        }
    }

    private mutating func addLibrary(_ name: String) {
        guard libraries.insert(name).inserted else { return }
        let path =
            name.contains("/")
            ? name : Self.libraryFolders.map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
        if let path, let real = add(path) { addLibraries(of: real) }
    }

    private mutating func addLibraries(of path: String) {
        let number = open(path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else { return }
        let file = Descriptor(owning: number)
        for name in LinkedLibraries.names(in: file.raw) { addLibrary(name) }
    }

    // MARK: Python's modules

    private mutating func addModules(in folder: String, tag: String) {
        folders.insert(folder)
        for name in (try? Folder.names(folder)) ?? [] where name.first != "." {
            let path = "\(folder)/\(name)"
            let stem = name.prefix { $0 != "." }
            guard !Self.unused.contains(String(stem)), !stem.hasPrefix("_test"), !name.hasPrefix("config-")
            else { continue }
            switch Self.kind(path) {
            case S_IFDIR:
                put(path, .directory)
                addModules(in: path, tag: tag)
            case S_IFREG where name.hasSuffix(".py"):
                // Compiled code alone, where it is of this source, takes half the bytes. Python finds its library by os.py.
                let compiled = "\(folder)/__pycache__/\(name.dropLast(3)).\(tag).pyc"
                if name != "os.py", Self.isCompiled(compiled, from: path) {
                    put(path + "c", .file(of: compiled))
                } else {
                    put(path, .file(of: path))
                }
            case S_IFREG where name.hasSuffix(".so"):
                put(path, .file(of: path))
                addLibraries(of: path)
            default: continue
            }
        }
    }

    /// Whether the interpreter would take the compiled file for this source (PEP 552): it names the source's time and
    /// size, or is never to be compared.
    private static func isCompiled(_ compiled: String, from source: String) -> Bool {
        let number = open(compiled, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard number >= 0 else { return false }
        let file = Descriptor(owning: number)
        var information = stat()
        guard let header = Executable.read(file.raw, offset: 0, count: 16), stat(source, &information) == 0
        else { return false }
        switch Executable.number(header, 4, 4) {
        case 0:
            return Executable.number(header, 8, 4) == UInt64(truncatingIfNeeded: information.st_mtim.tv_sec)
                & 0xffff_ffff
                && Executable.number(header, 12, 4) == UInt64(information.st_size) & 0xffff_ffff
        case 1: return true
        default: return false
        }
    }

    /// S_IFDIR and its like; 0 where nothing is.
    private static func kind(_ path: String) -> mode_t {
        var information = stat()
        return lstat(path, &information) == 0 ? information.st_mode & S_IFMT : 0
    }

}
