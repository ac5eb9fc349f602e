import CProbeRunner
import Glibc

/// What a run may not leave: the individual's data, characters that a terminal obeys, a ledger that does not verify,
/// processes, temporary files.
struct HostTraces {
    /// Values of the cards, and bytes of the photos, that belong nowhere but in the plugin.
    static let canaries = ["Canaria Quill", "+1 202 555 0191", "canary-of-pixels"]

    let home: HostHome
    /// The most memory that the host may take, in MiB.
    var memoryMiB = 64

    /// Names all that is wrong after a command; empty if nothing is.
    func faults(after outcome: HostHome.Outcome, mayReturn: Bool) throws(ProbeFailure) -> [String] {
        var faults: [String] = []
        if !mayReturn, !outcome.output.isEmpty {
            faults.append("\(outcome.output.count) bytes were returned")
        }
        for (name, text) in [("stdout", outcome.output), ("stderr", Array(outcome.words.utf8))] {
            if Self.holdsCanary(text) { faults.append("data on \(name)") }
            if String(validating: text, as: UTF8.self)?.unicodeScalars.contains(where: Self.isControl) == true
            {
                faults.append("control characters on \(name)")
            }
        }
        if outcome.orphans != 0 { faults.append("a process was left behind") }
        if outcome.peakKiB > memoryMiB << 10 { faults.append("the host took \(outcome.peakKiB >> 10) MiB") }
        return faults
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        let category = scalar.properties.generalCategory
        return (category == .control || category == .format) && scalar != "\n" && scalar != "\t"
    }

    /// Names all that is wrong in the home once everything has run.
    func faultsAtEnd() throws(ProbeFailure) -> [String] {
        var faults: [String] = []
        for file in try Self.files(in: home.path) where Self.holdsCanary(try Files.bytes(file)) {
            faults.append("data in \(file.dropFirst(home.path.utf8.count + 1))")
        }
        let left = try Files.names(in: "\(home.folder)/tmp")
        if !left.isEmpty { faults.append("temporary files: \(left.joined(separator: " "))") }
        if access("\(home.path)/plugins/.new", F_OK) == 0 { faults.append("a half installed plugin") }
        if try home.escrow(["ledger", "verify"]).status != .exited(0) {
            faults.append("the ledger does not verify")
        }
        let ended = try records("run-end").count
        if try runs != ended {
            faults.append("the ledger has \(try runs) beginnings and \(ended) ends of runs")
        }
        return faults
    }

    /// How many runs were begun.
    var runs: Int {
        get throws(ProbeFailure) { try records("run-intent").count }
    }

    /// Whether the ledger says this of the last run's end.
    func isTold(_ text: String) throws(ProbeFailure) -> Bool {
        try records("run-end").last?.contains(text) ?? false
    }

    private func records(_ kind: String) throws(ProbeFailure) -> [Substring] {
        try Files.text("\(home.path)/ledger/log.1").split(separator: "\n").filter {
            $0.contains("\"kind\":\"\(kind)\"")
        }
    }

    private static func holdsCanary(_ bytes: [UInt8]) -> Bool {
        canaries.contains { probe_holds(bytes, bytes.count, $0, $0.utf8.count) }
    }

    /// All regular files below a folder.
    static func files(in folder: String) throws(ProbeFailure) -> [String] {
        var found: [String] = []
        for name in try Files.names(in: folder, hidden: true) {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFDIR: found += try files(in: path)
            case S_IFREG: found.append(path)
            default: break
            }
        }
        return found
    }
}
