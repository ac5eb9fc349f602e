import ArgumentParser
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
        private static let mostFiles = 20_000
        /// Files inside that are compared with them, at most.
        private static let mostSeen = 500_000

        func run() throws {
            var places: [String] = []
            var files: Set<String> = []
            while let line = readLine() {
                if line.hasPrefix("P ") { places.append(String(line.dropFirst(2))) }
                if line.hasPrefix("I ") { files.insert(String(line.dropFirst(2))) }
            }
            var ways = places.filter(Self.isReached)
            ways += Self.throughProcesses(places)
            ways += Self.otherNames(of: files)
            ways += Self.sockets(places)
            for way in ways { Console.data("reached: \(way)") }
            if !ways.isEmpty { throw ExitCode(1) }
        }

        /// What is to be tried, for the input: paths, and which files they are, whatever they are called.
        static func input(_ places: [String]) throws(Diagnostic) -> [UInt8] {
            var lines: [String] = []
            for place in places {
                lines.append("P \(place)")
                walk(place, most: mostFiles) { path, status in
                    if status.st_mode & S_IFMT == S_IFREG {
                        lines.append("I \(status.st_dev) \(status.st_ino)")
                    }
                }
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

        private static func otherNames(of files: Set<String>) -> [String] {
            var found: [String] = []
            for name in (try? Folder.names("/")) ?? [] where !["proc", "sys", "dev"].contains(name) {
                walk("/" + name, most: mostSeen) { path, status in
                    if status.st_mode & S_IFMT == S_IFREG, files.contains("\(status.st_dev) \(status.st_ino)")
                    {
                        found.append(path)
                    }
                }
            }
            return found
        }

        private static func sockets(_ places: [String]) -> [String] {
            let buses = [
                "/run/user/\(getuid())/bus", "/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket",
            ]
            let ours = places.flatMap { ["\($0)/service.sock", "\($0)/control.sock"] }
            return (buses + ours).filter { ServicePlace.connect(to: $0) != nil }
        }

        /// Every file below a path, and the path itself; links are not followed.
        private static func walk(_ path: String, most: Int, _ body: (String, stat) -> Void) {
            var rest = [path]
            var seen = 0
            while let path = rest.popLast(), seen < most {
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                seen += 1
                body(path, status)
                guard status.st_mode & S_IFMT == S_IFDIR, let names = try? Folder.namesIfPresent(path) else {
                    continue
                }
                rest += names.map { path + "/" + $0 }
            }
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
