import Foundation
import Testing

/// What `make deb` makes: a package that dpkg installs and removes, with every file where Debian looks for it.
@Suite struct DebTests {
    @Test(.enabled(if: tool("dpkg-deb") && tool("dpkg-shlibdeps"), "dpkg-dev is not installed"))
    func thePackageInstallsRunsAndLeavesTheHomeWhenItGoes() throws {
        let escrow = try Escrow()
        let package = try Self.package(in: escrow.folder)
        let fields = try Self.outcome(["dpkg-deb", "--field", package])
        let version = try escrow.run("--version").output.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(fields.text.contains("Package: escrow\nVersion: \(version)\n"))
        for library in ["libc6 (>= ", "libsqlite3-0 (>= ", "libseccomp2 (>= ", "libmicrohttpd12 (>= "] {
            #expect(fields.text.contains(library), "\(library)")
        }
        // Nothing runs as root when it is installed, or removed.
        let control = escrow.folder.appending(path: "control").path
        #expect(try Self.outcome(["dpkg-deb", "--control", package, control]).status == 0)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: control)) == ["control", "md5sums"])

        let root = escrow.folder.appending(path: "root").path
        let dpkg = ["fakeroot", "dpkg", "--root=\(root)", "--force-depends", "--log=\(root)/log"]
        for folder in ["info", "updates"] {
            try FileManager.default.createDirectory(
                atPath: "\(root)/var/lib/dpkg/\(folder)", withIntermediateDirectories: true)
        }
        for file in ["status", "available"] {
            try Data().write(to: URL(filePath: "\(root)/var/lib/dpkg/\(file)"))
        }
        let installed = try Self.outcome(dpkg + ["--install", package])
        #expect(installed.status == 0, "\(installed.text)")
        for path in [
            "bin/escrow-egress", "share/bash-completion/completions/escrow",
            "share/zsh/vendor-completions/_escrow", "share/fish/vendor_completions.d/escrow.fish",
            "share/man/man1/escrow-trust-add.1.gz", "share/man/man1/escrow-service.1.gz",
            "lib/systemd/user/escrow.socket", "lib/escrow/plugins/phone-check.escrow",
            "lib/escrow/sdk/swift/Package.swift", "lib/escrow/places.gazetteer", "share/doc/escrow/copyright",
        ] {
            #expect(FileManager.default.fileExists(atPath: "\(root)/usr/\(path)"), "\(path)")
        }
        // A library that lies beside a program is not the program's: it could be a download.
        for program in ["escrow", "escrow-egress", "escrow-service"] {
            let dynamic = try Self.outcome(["readelf", "--dynamic", "\(root)/usr/bin/\(program)"])
            #expect(dynamic.status == 0 && !dynamic.text.contains("ORIGIN"), "\(program): \(dynamic.text)")
        }
        let unit = try String(contentsOfFile: "\(root)/usr/lib/systemd/user/escrow.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/usr/bin/escrow serve\n"))
        // No file names the machine that made it, or a folder below which it was put together.
        let named = try Self.outcome(["grep", "-rlF", escrow.folder.path, "\(root)/usr"])
        #expect(named.status == 1, "\(named.text)")

        // What was installed does the main job, on a home of its own.
        try escrow.allow("phone-check", app: "org.example.notes")
        #expect(try escrow.run("source", "add", "contacts", "samples/contacts.vcf").status == 0)
        let run = ["\(root)/usr/bin/escrow", "run", "phone-check", "--app", "org.example.notes"]
        let ran = try Self.outcome(run, ["ESCROW_HOME": escrow.home.path])
        #expect(ran.status == 0 && ran.text.contains("valid            59\n"), "\(ran.text)")

        let home = try Self.files(below: escrow.home.path)
        let removed = try Self.outcome(dpkg + ["--purge", "escrow"])
        #expect(removed.status == 0, "\(removed.text)")
        #expect(!FileManager.default.fileExists(atPath: "\(root)/usr"))
        #expect(try Self.files(below: escrow.home.path) == home)
    }

    @Test(.enabled(if: tool("lintian") && tool("dpkg-shlibdeps"), "lintian is not installed"))
    func lintianFindsNothing() throws {
        let escrow = try Escrow(trusting: false)
        let package = try Self.package(in: escrow.folder)
        // Programs built for tests find Swift's libraries where the toolchain is; those of a release have them inside.
        let found = try Self.outcome(
            [
                "lintian", "--suppress-tags", "custom-library-search-path", "--allow-root", "--fail-on",
                "error,warning", "--tag-display-limit", "0",
                package,
            ])
        #expect(found.status == 0, "\(found.text)")
    }

    /// The package of the programs that are tested: whole, but hardly compressed, which takes most of the time.
    private static func package(in folder: URL) throws -> String {
        let made = try outcome(
            ["scripts/deb", Escrow.program.path, Escrow.packages.path, folder.path],
            ["COMPRESSION": "gzip -z1"])
        try #require(made.status == 0, "\(made.text)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return folder.appending(path: try #require(names.first { $0.hasSuffix(".deb") })).path
    }

    private static func files(below folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
    }

    private static func outcome(
        _ words: [String], _ environment: [String: String] = [:]
    ) throws -> (status: Int32, text: String) {
        try ManualTests.outcome(words, environment)
    }
}

private func tool(_ name: String) -> Bool {
    ["/usr/bin", "/bin"].contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
}
