import EscrowConsole
import EscrowDiagnostics
import EscrowFiles
import EscrowManifest
import EscrowTrust
import Glibc

/// A plugin as its author has it: a folder with `plugin.json` and what the program is built from.
///
/// - `Package.swift`: built by SwiftPM, release, fully static; the executable is named like the artifact's file.
/// - `Makefile`: built by `make`, which leaves the executable at the artifact's path.
/// - a script: taken as it is, with the files beside it that have its ending.
///
/// Whatever else is to be there when it runs (modules, models, data) the manifest names in `files`. `wheels.lock` beside a script of
/// the profile `native` names wheels of Python with their digests; pip puts them into `wheels`, and all that lies there is shipped.
struct PluginFolder {
    let path: String
    let manifestPath: String
    let manifestBytes: [UInt8]
    let manifest: Manifest

    /// Reads the folder's manifest.
    init(_ path: String) throws(Diagnostic) {
        var trimmed = path
        while trimmed.count > 1, trimmed.hasSuffix("/") { trimmed.removeLast() }
        self.path = trimmed
        manifestPath = trimmed + "/plugin.json"
        // The author's own folder may be laid out with links; a package never is.
        let real = realpath(manifestPath, nil)
        defer { free(real) }
        guard let real else {
            throw Diagnostic(
                .pluginFolderIncomplete, "there is no plugin.json in \(trimmed)",
                help: "name a plugin's folder, or make one: escrow plugin new NAME")
        }
        manifestBytes = try SecureFile.read(String(cString: real), limit: Manifest.maximumBytes)
        manifest = try Manifest.parseAuthored(manifestBytes, file: manifestPath)
    }

    /// The artifact for this machine.
    func artifact() throws(Diagnostic) -> Artifact { try manifest.artifact(for: .current) }

    /// Builds the program with the author's tools. `afresh` also fetches wheels that seem to be there.
    func build(afresh: Bool = false) throws(Diagnostic) {
        guard try artifact().interpreter == nil else { return try fetchWheels(afresh: afresh) }
        if has("Package.swift") {
            try Tool.run(
                [
                    "swift", "build", "-c", "release", "-Xswiftc", "-static-executable", "--product",
                    try productName(),
                ], in: path)
        } else if has("Makefile") {
            try Tool.run(["make", "--no-print-directory"], in: path)
        } else {
            throw Diagnostic(
                .pluginFolderIncomplete,
                "\(path) has neither Package.swift nor Makefile to build \(try artifact().path) with",
                help: "add one; escrow plugin new NAME makes a folder that is complete")
        }
    }

    /// Has pip fetch what `wheels.lock` names, unless it has: wheels alone, each with the digest that the lock has, and nothing that
    /// they ask for besides. That it has is what the folder says, which may have come from somebody else: no word to sign on.
    private func fetchWheels(afresh: Bool) throws(Diagnostic) {
        guard has(Self.lock), manifest.profile == .native else { return }
        let locked = try SecureFile.read("\(path)/\(Self.lock)", limit: 1 << 20)
        let lock = try WheelLock(parsing: locked, file: "\(path)/\(Self.lock)")
        if !afresh, has(Self.fetched),
            (try? SecureFile.read("\(path)/\(Self.fetched)", limit: 1 << 20)) == locked
        {
            return
        }
        try Tool.run(["rm", "-rf", Self.wheels], in: path)
        // pip runs where nothing of the folder's lies that it might read.
        let work = try WorkFolder.make()
        try SecureFile.replace(
            "\(work.path)/\(Self.lock)", with: Array(lock.requirements.joined(separator: "\n").utf8))
        try Tool.run(
            [
                "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input", "--require-hashes",
                "--no-deps", "--only-binary", ":all:", "--no-compile", "--target",
                "\(try Self.resolved(path))/\(Self.wheels)", "--requirement", Self.lock,
            ], in: work.path)
        try SecureFile.replace("\(path)/\(Self.fetched)", with: locked, mode: 0o644)
    }

    static let lock = "wheels.lock"
    static let wheels = "wheels"
    /// The lock that what lies in `wheels` was fetched by.
    private static let fetched = "wheels/.lock"

    /// The files of wheels: without what pip notes, tests, and headers, which no plugin runs.
    private func wheelFiles(below folder: String = wheels, depth: Int = 0) throws(Diagnostic) -> [String] {
        guard has(folder), depth < 8 else { return [] }
        var found: [String] = []
        for name in try Self.names("\(path)/\(folder)") {
            let relative = "\(folder)/\(name)"
            guard !["__pycache__", "tests", "test", "bin"].contains(name), !name.hasSuffix(".dist-info"),
                !name.hasSuffix(".pyi"), !name.hasSuffix(".h"), !name.hasSuffix(".pyc")
            else { continue }
            var status = stat()
            if lstat("\(path)/\(relative)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                found += try wheelFiles(below: relative, depth: depth + 1)
            } else {
                found.append(relative)
            }
        }
        return found
    }

    /// Copies what is shipped into an empty folder: the program, stripped of what differs between two builds, and the
    /// files that belong to it. What a link leads to outside of the folder is refused unless `followsLinks`: a folder of somebody
    /// else's would have its packer publish files of theirs.
    func stage(in staging: String, followsLinks: Bool) throws(Diagnostic) {
        let root = followsLinks ? nil : try Self.resolved(path)
        func copy(_ source: String, to target: String) throws(Diagnostic) {
            if let root, !(try Self.resolved(source)).utf8.starts(with: (root + "/").utf8) {
                throw Diagnostic(
                    .notAPlainFile, "\(source) is a link to a file outside of the plugin's folder",
                    notes: ["nothing was packed"],
                    help: "put the file itself there, or, where you laid the folder out so: --follow-links")
            }
            try Self.copy(source, to: target)
        }
        let artifact = try artifact()
        let isBuiltBySwift = artifact.interpreter == nil && has("Package.swift")
        let built =
            isBuiltBySwift ? "\(path)/.build/release/\(try productName())" : "\(path)/\(artifact.path)"
        try copy(built, to: "\(staging)/\(artifact.path)")
        var shipped = Set(manifest.artifacts.map(\.path))
        if artifact.interpreter == nil {
            // With the build id and SwiftPM's module hash gone, two builds of the same source are the same bytes.
            try Tool.run(
                ["strip", "-R", ".swift_modhash", "-R", ".note.gnu.build-id", "\(staging)/\(artifact.path)"],
                in: path)
        } else {
            let folder = SecureFile.parent(of: artifact.path)
            for name in try Self.names(folder == "." ? path : "\(path)/\(folder)") {
                let relative = folder == "." ? name : "\(folder)/\(name)"
                guard relative != artifact.path, Self.isCompanion(name, of: artifact) else { continue }
                try copy("\(path)/\(relative)", to: "\(staging)/\(relative)")
                shipped.insert(relative)
            }
        }
        for file in manifest.files where shipped.insert(file.path).inserted {
            try copy("\(path)/\(file.path)", to: "\(staging)/\(file.path)")
        }
        if artifact.interpreter != nil {
            if has(Self.lock) {
                for file in try wheelFiles() + [Self.lock] where shipped.insert(file).inserted {
                    try copy("\(path)/\(file)", to: "\(staging)/\(file)")
                }
            }
            try refuseLeftovers(shipped)
        }
        for name in ["README.md", "LICENSE"] where has(name) && !shipped.contains(name) {
            try copy("\(path)/\(name)", to: "\(staging)/\(name)")
        }
    }

    /// A script's folder is what runs: a file that is not packed would be missed, or is packed by mistake of the author's who
    /// thinks that it is. E0208 names the first one. Tests, hidden files and what Python leaves behind are no part of it.
    private func refuseLeftovers(_ shipped: Set<String>, below folder: String = "", depth: Int = 0)
        throws(Diagnostic)
    {
        let own: Set = ["plugin.json", "README.md", "LICENSE", "Tests", Self.wheels]
        for name in try Self.names(folder.isEmpty ? path : "\(path)/\(folder)") {
            let relative = folder.isEmpty ? name : "\(folder)/\(name)"
            guard name != "__pycache__",
                !(folder.isEmpty && (own.contains(name) || name.hasSuffix(".escrow"))),
                !shipped.contains(relative)
            else { continue }
            var status = stat()
            if lstat("\(path)/\(relative)", &status) == 0, status.st_mode & S_IFMT == S_IFDIR, depth < 8 {
                try refuseLeftovers(shipped, below: relative, depth: depth + 1)
                continue
            }
            throw Diagnostic(
                .fileLeftOver, "\(relative) would be left out of the package", at: .init(file: manifestPath),
                help:
                    "name it in the manifest, \"files\": {\"\(relative)\": \"\"}, or move it out of the folder"
            )
        }
    }

    /// Whether a file beside a script belongs to it: one with the script's own ending.
    private static func isCompanion(_ name: String, of artifact: Artifact) -> Bool {
        guard let dot = artifact.path.lastIndex(of: ".") else { return false }
        return name.hasSuffix(artifact.path[dot...])
    }

    private func productName() throws(Diagnostic) -> String {
        let path = try artifact().path
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    private func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }

    private static func names(_ folder: String) throws(Diagnostic) -> [String] {
        try Folder.names(folder).filter { !$0.hasPrefix(".") }
    }

    /// The path without links.
    private static func resolved(_ path: String) throws(Diagnostic) -> String {
        let real = realpath(path, nil)
        defer { free(real) }
        guard let real else { throw .file(path, "cannot be opened", errno) }
        return String(cString: real)
    }

    private static func copy(_ source: String, to target: String) throws(Diagnostic) {
        // A pipe without a writer would be waited for.
        let file = try Descriptor(opening: source, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        var status = stat()
        guard fstat(file.raw, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Diagnostic(
                .notAPlainFile, "\(source) is not a plain file",
                help: "replace it by the file itself, or leave it out")
        }
        try SecureFile.makeFolder(SecureFile.parent(of: target))
        let copy = try Descriptor(opening: target, O_WRONLY | O_CREAT | O_EXCL, mode: 0o755)
        while true {
            let piece = try file.read(1 << 20)
            if piece.isEmpty { return }
            try copy.write(piece)
        }
    }
}
