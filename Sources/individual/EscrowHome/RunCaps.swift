package import EscrowJSON
import Glibc

/// How much may be under way at a time: for one app, and in the whole home.
///
///     { "runs": { "app": 8, "home": 32, "appMemoryMiB": 2048, "homeMemoryMiB": 8192 } }
package struct RunCaps: Sendable, Equatable {
    /// A number of runs, and the memory of all of them.
    package struct Room: Sendable, Equatable {
        package var runs: Int
        package var memoryMiB: Int

        /// Whether one more fits. A run that asks for more memory than there ever is goes alone.
        package func hasRoom(for entry: RunSlots.Entry, beside others: [RunSlots.Entry]) -> Bool {
            guard !others.isEmpty else { return true }
            let memory = others.reduce(entry.memoryMiB) { $0 + $1.memoryMiB }
            return others.count < runs && memory <= memoryMiB
        }
    }

    package var app: Room
    package var home: Room

    /// Half of the machine's memory for all, and half of that for one app.
    package static let standard: RunCaps = {
        let machine = sysconf(Int32(_SC_PHYS_PAGES)) / 1024 * sysconf(Int32(_SC_PAGESIZE)) / 1024
        return RunCaps(
            app: Room(runs: 16, memoryMiB: machine / 4), home: Room(runs: 64, memoryMiB: machine / 2))
    }()

    /// The most runs that a home can be set to: the ledger has room for 256 that are under way.
    package static let most = 128

    private init(app: Room, home: Room) {
        self.app = app
        self.home = home
    }

    /// Reads the member `runs` of the configuration.
    package init(_ node: JSONNode) throws(JSONError) {
        var object = try JSONObjectReader(node)
        func number(_ name: String, _ most: Int, _ standard: Int) throws(JSONError) -> Int {
            guard let node = object.optional(name) else { return standard }
            let value = try node.requireInteger()
            guard value >= 1, value <= Int64(most) else {
                throw JSONError(.wrongType(expected: "a whole number from 1 to \(most)"), at: node.position)
            }
            return Int(value)
        }
        let standard = Self.standard
        app = Room(
            runs: try number("app", Self.most, standard.app.runs),
            memoryMiB: try number("appMemoryMiB", 1 << 24, standard.app.memoryMiB))
        home = Room(
            runs: try number("home", Self.most, standard.home.runs),
            memoryMiB: try number("homeMemoryMiB", 1 << 24, standard.home.memoryMiB))
        try object.finish()
    }
}
