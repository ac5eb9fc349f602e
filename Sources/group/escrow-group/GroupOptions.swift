import ArgumentParser
import EscrowDiagnostics
import EscrowGroupDevice
import Foundation

/// Where groups are kept.
struct HomeOptions: ParsableArguments {
    @Option(help: "The escrow home (default: $ESCROW_HOME, else $XDG_DATA_HOME/escrow).")
    var home: String?

    /// The folder of this device's groups.
    func folder() throws(Diagnostic) -> String { try path() + "/groups" }

    /// The escrow home's folder.
    func path() throws(Diagnostic) -> String {
        let environment = ProcessInfo.processInfo.environment
        let places = [
            home, environment["ESCROW_HOME"], environment["XDG_DATA_HOME"].map { $0 + "/escrow" },
            environment["HOME"].map { $0 + "/.local/share/escrow" },
        ]
        guard let home = places.compactMap({ $0 }).first(where: { !$0.isEmpty }) else {
            throw Diagnostic(.noPlaceForHome, "there is no HOME to keep groups under", help: "--home DIR")
        }
        return home
    }
}

/// Which of this device's groups.
struct GroupOptions: ParsableArguments {
    @OptionGroup var home: HomeOptions
    @Argument(help: "What the group is called on this device: letters, digits, - and _.")
    var group: String

    func folder() throws -> String {
        guard group.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
            throw ValidationError("a group is called by letters, digits, - and _")
        }
        return try home.folder() + "/" + group
    }

    func device() throws -> Device { try Device(folder()) }
}
