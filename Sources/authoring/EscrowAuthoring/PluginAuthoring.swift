package import ArgumentParser
import EscrowCases
import EscrowConsent
import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowHome
import EscrowHost
import EscrowJSON
import EscrowManifest
import EscrowMinimisation
import EscrowSandbox
import EscrowTrust
import Glibc

package struct PluginCheck: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check a plugin's manifest: its text, its own query, and how each permission looks to people.")
    @Argument(help: "The plugin's folder.", completion: .directory) var folder = "."

    package init() {}

    package func run() throws {
        let plugin = try PluginFolder(folder)
        try plugin.manifest.checkCopies()
        Console.data("check   plugin.json  ok")
        if let sql = plugin.manifest.defaultAccess {
            let reads = try DefaultAccess.check(sql, against: plugin.manifest, file: plugin.manifestPath)
            Console.columns(
                "access  \(reads), all that the default access reads, and all that is declared  ok")
        }
        try plugin.manifest.checkLearns()
        for read in plugin.manifest.result.readBack {
            Console.columns("learns  \(PlainText.quoted(read.learns))")
            Console.columns("schema  \(PlainText.neutral("\(read.field), \(read.allows)"))")
        }
        Console.columns("at most \(plugin.manifest.result.allowance)")
        for table in plugin.manifest.accepts.minimisation.words { Console.columns("only    \(table)") }
        for endpoint in plugin.manifest.egress {
            Console.columns("sends   \(endpoint.name): \(endpoint.bitsByField)")
        }
        Console.columns("bits    \(plugin.manifest.capacitySentence)")
        for finding in ManifestCheck.lint(plugin.manifest) {
            let grade = finding.grade.rawValue
            let padding = String(repeating: " ", count: Self.widestGrade - grade.count)
            Console.columns("\(grade)\(padding)  \(finding.permission): \(finding.why)")
        }
    }
}

extension PluginCheck {
    private static let widestGrade = ManifestCheck.Grade.allCases.map(\.rawValue.count).max() ?? 0
}

package struct PluginTest: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Build a plugin and run its test cases on mock rows, in the real sandbox.")
    @Argument(help: "The plugin's folder.", completion: .directory) var folder = "."
    @Flag(help: "Show what the plugin writes on stderr.") var log = false
    @Flag(help: "Take the program as it was built last.") var noBuild = false
    @Flag(help: "Test again whenever a file of the folder changes.") var watch = false
    @Flag(help: "List the system calls that the plugin makes, and those that a run would end at.") var trace =
        false

    package init() {}

    package func run() throws {
        guard watch else { return try test() }
        while true {
            let seen = Self.stamps(folder)
            do { try test() } catch let failure as Diagnostic { Console.report(failure) }
            Console.say("waiting for a change; Ctrl-C ends it")
            while Self.stamps(folder) == seen { _ = poll(nil, 0, 300) }
        }
    }

    /// When each of the author's files was changed last; what a build makes is left out.
    private static func stamps(_ folder: String) -> [String: Int] {
        var stamps: [String: Int] = [:]
        for name in (try? Folder.names(folder)) ?? [] where !name.hasPrefix(".") && name != "bin" {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                stamps.merge(Self.stamps(path)) { $1 }
            } else {
                stamps[path] = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
            }
        }
        return stamps
    }

    private func test() throws {
        let plugin = try PluginFolder(folder)
        if !noBuild { try plugin.build() }
        let staging = try WorkFolder.make()
        // What is tested goes nowhere.
        try plugin.stage(in: staging.path, followsLinks: true)
        Console.data("check   plugin.json  ok")
        if let sql = plugin.manifest.defaultAccess {
            let reads = try DefaultAccess.check(sql, against: plugin.manifest, file: plugin.manifestPath)
            Console.data("access  \(reads)  ok")
        }
        let calls = trace ? Trace() : nil
        let runner = try CaseRunner(manifest: plugin.manifest, folder: staging.path, trace: calls)
        var failed = 0
        var wasStopped = false
        let cases = try Self.cases(in: plugin.path)
        for path in cases {
            let verdict = try runner.run(path)
            let figures =
                "\(Int(verdict.milliseconds)) ms, \(verdict.peakKiB >> 10) MiB, \(verdict.resultBytes) bytes returned"
            Console.data("case    \(verdict.name)  \(verdict.failure == nil ? "ok" : "FAILED")  \(figures)")
            if let failure = verdict.failure {
                failed += 1
                wasStopped = wasStopped || failure.hasPrefix("error[E0511]")
                Self.show(failure)
            }
            if log || verdict.failure != nil, !verdict.log.isEmpty {
                Console.data("  its log:")
                Self.show(log ? verdict.log : Self.tail(of: verdict.log))
            }
        }
        Console.say(
            "\(cases.count - failed) passed, \(failed) failed; nothing here was signed or granted, and the data was mock"
        )
        if wasStopped, !trace {
            Console.say("to see every system call that the plugin makes: escrow plugin test --trace")
        }
        if let calls { try TraceReport(calls, of: plugin.manifest).show() }
        guard failed == 0 else {
            throw Diagnostic(
                .casesFailed, "\(failed) of \(cases.count) cases failed",
                help: "mend the plugin or the case, then run this again")
        }
    }

    /// Prints lines beneath their case.
    private static func show(_ text: String) {
        for line in text.split(separator: "\n") { Console.data(Console.printable("  \(line)")) }
    }

    /// The last lines, 2 000 characters at most: a plugin that floods its log must not bury what is wrong with it.
    private static func tail(of log: String) -> String {
        guard log.count > 2000 else { return log }
        return "(… --log shows all of its \(log.utf8.count) bytes)\n" + log.suffix(2000)
    }

    private static func cases(in folder: String) throws(Diagnostic) -> [String] {
        let path = folder + "/Tests/cases"
        guard let names = try Folder.namesIfPresent(path) else {
            throw Diagnostic(
                .pluginFolderIncomplete, "there are no cases in \(path)",
                help: "add one; docs/spec/cases.md has the form")
        }
        return names.filter { $0.hasSuffix(".json") }.map { "\(path)/\($0)" }
    }
}

package struct PluginPack: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "pack",
        abstract: "Build a plugin, fill in the digests, sign it, and write one file to pass on.")
    @Argument(help: "The plugin's folder.", completion: .directory) var folder = "."
    @Option(
        help: "The name of your signing key; without it the package is unsigned: escrow plugin sign.",
        completion: .keys)
    var key: String?
    @Option(help: "The file to write (default: NAME-VERSION.escrow in the working directory).") var output:
        String?
    @Option(help: "How many days the signature counts.") var days = 365
    @Flag(help: "Take the program, and wheels, as they were built last.") var noBuild = false
    @Flag(help: "Pack also what links in the folder lead to outside of it.") var followLinks = false
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    package init() {}

    package func run() throws {
        let plugin = try PluginFolder(folder)
        try plugin.manifest.checkCopies()
        try plugin.manifest.checkLearns()
        if let sql = plugin.manifest.defaultAccess {
            _ = try DefaultAccess.check(sql, against: plugin.manifest, file: plugin.manifestPath)
        }
        if !noBuild { try plugin.build(afresh: true) }
        let staging = try WorkFolder.make()
        try plugin.stage(in: staging.path, followsLinks: followLinks)
        var keys: [SigningKey] = []
        if let key { keys = [try Home.open(at: try home.location()).signingKey(key)] }
        let target = try WorkFolder.make()
        var clock = timespec()
        clock_gettime(CLOCK_REALTIME, &clock)
        let now = Moment(seconds: Int64(clock.tv_sec))
        let package = try PluginPackage.pack(
            folder: staging.path, authorManifest: plugin.manifestBytes, file: plugin.manifestPath, keys: keys,
            issued: now, expires: now.adding(days: days), to: target.path)
        let path = output ?? PluginPackage.fileName(package.manifest)
        try SecureFile.replace(path, with: try SecureFile.read(package.path, limit: 512 << 20), mode: 0o644)
        // Devices get the manifest alone; the package is for those who run servers.
        var devicePath: String?
        if package.manifest.server.isConfidential {
            let name = (path.hasSuffix(".escrow") ? String(path.dropLast(7)) : path) + ".device.escrow"
            try SecureFile.replace(name, with: try PluginPackage.deviceFile(of: path), mode: 0o644)
            devicePath = name
        }
        if format.isJSON {
            Console.data([
                "package": .string(path), "id": .string(package.manifest.id),
                "version": .string(package.manifest.version.description),
                "manifest": .string(package.manifestDigest.hexadecimal), "signed": .bool(!keys.isEmpty),
            ])
        } else {
            Console.data(path)
            if let devicePath { Console.data(devicePath) }
            Console.say(
                "packed \(package.manifest.id) \(package.manifest.version), manifest sha256:\(package.manifestDigest.hexadecimal)"
            )
            Console.say(
                keys.isEmpty
                    ? "it is unsigned, and no host installs it; make a key once: escrow key new; "
                        + "then escrow plugin sign \(path)"
                    : "signed by \(keys[0].publicKey.id); next: escrow plugin install \(path)")
        }
    }
}

package struct PluginSign: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a package, beside the signatures that it has already.")
    @Argument(help: "The package, FILE.escrow.", completion: .packages) var package: String
    @Option(help: "The name of your signing key.", completion: .keys) var key = "default"
    @OptionGroup var home: HomeOptions

    package init() {}

    package func run() throws {
        let key = try Home.open(at: try home.location()).signingKey(key)
        let signed = try PluginPackage.sign(package, with: key)
        Console.say("signed \(signed.manifest.id) \(signed.manifest.version) by \(key.publicKey.id)")
    }
}
