import ArgumentParser
import CAppPeers
import EscrowApps
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowJSON
import EscrowSources
import Glibc

extension AppCommand {
    /// What `escrow app check` runs inside an app's walls: it tries to reach what is named on its input, and says what it reached.
    struct Reach: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reach",
            abstract: "Try to reach places that are named on stdin.", shouldDisplay: false)

        /// Files of a source that are looked for under other names, at most.
        private static let mostFiles = 1_000_000
        /// Files inside that are compared with them, at most.
        private static let mostSeen = 5_000_000

        func run() throws {
            var places: [String] = []
            var files: Set<String> = []
            var expected: Set<String> = []
            var ways: [String] = []
            while let line = readLine() {
                let rest = String(line.dropFirst(2))
                switch line.first {
                case "P": places.append(rest)
                case "I": files.insert(rest)
                case "S": expected.insert(rest)
                default: ways.append("not tried: \(rest)")
                }
            }
            ways += (places.filter(Self.isReached) + Self.throughProcesses(places)).map { "reached: \($0)" }
            ways += Self.otherNames(of: files, expected)
            ways += Self.sockets(places, expected).map { "reached: \($0)" }
            for way in ways { Console.data(way) }
            if !ways.isEmpty { throw ExitCode(1) }
        }

        /// What is to be tried, for the input: paths, and which files they are, whatever they are called; and the sockets that are
        /// to be reached.
        static func input(_ places: [String], expected: [String]) throws(Diagnostic) -> [UInt8] {
            var lines = expected.map { "S \($0)" }
            for place in places {
                lines.append("P \(place)")
                let isWhole = walk(place, most: mostFiles) { path, status in
                    if status.st_mode & S_IFMT == S_IFREG {
                        lines.append("I \(status.st_dev) \(status.st_ino)")
                    }
                }
                if !isWhole { lines.append("N second names of what lies in \(place): too many files") }
            }
            return Array((lines.joined(separator: "\n") + "\n").utf8)
        }

        /// Whether there is anything to read.
        private static func isReached(_ path: String) -> Bool {
            if let names = try? Folder.namesIfPresent(path) { return !names.isEmpty }
            let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            var byte: UInt8 = 0
            return read(file, &byte, 1) > 0
        }

        private static func throughProcesses(_ places: [String]) -> [String] {
            let processes = ((try? Folder.names("/proc")) ?? []).filter { $0.allSatisfy(\.isNumber) }
            return processes.flatMap { process in
                places.map { "/proc/\(process)/root\($0)" }.filter(isReached)
            }
        }

        /// Second names of those files, and sockets at which a program outside listens.
        private static func otherNames(of files: Set<String>, _ expected: Set<String>) -> [String] {
            var found: [String] = []
            for name in (try? Folder.names("/")) ?? [] where !["proc", "sys", "dev"].contains(name) {
                let isWhole = walk("/" + name, most: mostSeen) { path, status in
                    let isFound =
                        switch status.st_mode & S_IFMT {
                        case S_IFREG: files.contains("\(status.st_dev) \(status.st_ino)")
                        case S_IFSOCK: !expected.contains(path) && app_listens(path)
                        default: false
                        }
                    if isFound { found.append("reached: \(path)") }
                }
                if !isWhole { found.append("not tried: all of /\(name): too many files") }
            }
            return found
        }

        private static func sockets(_ places: [String], _ expected: Set<String>) -> [String] {
            let buses = [
                "/run/user/\(getuid())/bus", "/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket",
            ]
            let ours = places.flatMap { ["\($0)/service.sock", "\($0)/control.sock"] }
            // An abstract one is listed with @ for the byte 0 that its name begins with.
            let table = (try? SecureFile.read("/proc/net/unix", limit: 16 << 20)) ?? []
            let abstract = String(decoding: table, as: UTF8.self).split(separator: "\n")
                .compactMap { $0.split(separator: " ").last }
                .filter { $0.hasPrefix("@") && !expected.contains(String($0.dropFirst())) }
            return (buses + ours + Set(abstract.map(String.init)).sorted()).filter { app_listens($0) }
        }

        /// Every file below a path, and the path itself; links are not followed. False where there are more than so many.
        private static func walk(_ path: String, most: Int, _ body: (String, stat) -> Void) -> Bool {
            var rest = [path]
            var seen = 0
            while let path = rest.popLast() {
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                guard seen < most else { return false }
                seen += 1
                body(path, status)
                guard status.st_mode & S_IFMT == S_IFDIR, let names = try? Folder.namesIfPresent(path) else {
                    continue
                }
                rest += names.map { path + "/" + $0 }
            }
            return true
        }
    }

    struct Audit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "audit",
            abstract: "List which programs open your sources, from now on for a while.",
            discussion:
                "The kernel tells that only to who administrates the machine: sudo escrow app audit --home DIR."
        )
        @Option(help: "For how many seconds.") var seconds = 60
        @OptionGroup var home: HomeOptions
        @OptionGroup var format: FormatOptions

        func run() throws {
            let home = try home.location()
            if !Self.isAnothers(home) { _ = try Home.open(at: home) }
            let openings = try Openings.watch(
                try SourceRegistry.load(directory: home).entries.map(\.path), seconds: seconds)
            format.list(
                openings, as: "openings", none: "no program opened a source in \(seconds) s",
                ["program", "what it opened", "times"]
            ) {
                [$0.program, $0.path, String($0.count)]
            } json: {
                [
                    "program": .string($0.program), "path": .string($0.path),
                    "count": .integer(Int64($0.count)),
                ]
            }
        }

        /// Whether this is root, and the home another user's: of such a one the list of the sources is read, and nothing is opened or
        /// made that would then be root's.
        private static func isAnothers(_ home: String) -> Bool {
            var folder = stat()
            var marker = stat()
            return geteuid() == 0 && stat(home, &folder) == 0 && folder.st_uid != 0
                && lstat(home + "/home.json", &marker) == 0 && marker.st_uid == folder.st_uid
        }
    }
}
