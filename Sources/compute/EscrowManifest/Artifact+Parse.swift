import EscrowDiagnostics
import EscrowJSON

extension Artifact {
    static func list(
        _ reader: inout ManifestReader, profile: SandboxProfile, form: Manifest.Form
    ) throws(Diagnostic) -> [Artifact] {
        let node = try reader.required("artifacts")
        var artifacts: [Artifact] = []
        for (index, item) in try reader.list(node, path: "artifacts", maximum: 8).enumerated() {
            let path = "artifacts[\(index)]"
            artifacts.append(
                try Artifact(
                    ManifestReader(item, path: path, file: reader.file), profile: profile, form: form))
        }
        guard !artifacts.isEmpty else {
            throw reader.failure(
                .listEmptyOrTooLong, "\"artifacts\" is empty: there is no program to run", at: node)
        }
        try reader.checkUnique(artifacts.map(\.platform.rawValue), path: "artifacts", at: node)
        guard artifacts.count == 1 || !artifacts.contains(where: { $0.platform == .any }) else {
            throw reader.failure(
                .membersContradict, "a program for \"any\" platform stands beside one for a named platform",
                at: node)
        }
        return artifacts
    }

    private init(
        _ reader: consuming ManifestReader, profile: SandboxProfile, form: Manifest.Form
    ) throws(Diagnostic) {
        platform = try reader.word("platform")
        path = try reader.packagePath(reader.required("path"), path: reader.path(of: "path"))
        sha256 = try reader.digest("sha256", prefix: "", form: form)
        if form == .signed {
            size = Int(try reader.integer("size", in: 1...Int64(Self.maximumBytes)))
        } else {
            size = try reader.optionalInteger("size", in: 1...Int64(Self.maximumBytes)).map(Int.init)
        }
        linkage = try reader.optionalWord("linkage")
        interpreter = try reader.optionalWord("interpreter")
        try checkCombination(reader, profile: profile)
        try reader.finish()
    }

    private func checkCombination(_ reader: ManifestReader, profile: SandboxProfile) throws(Diagnostic) {
        let position = reader.position
        guard (linkage == nil) != (interpreter == nil) else {
            throw reader.failure(
                .membersContradict,
                "\"\(reader.path)\" must have either \"linkage\" (an executable) or \"interpreter\" (a script)",
                at: position)
        }
        guard profile.isForScripts || linkage == .static else {
            throw reader.failure(
                .membersContradict, "the profile \"strict\" runs static executables only", at: position,
                help: interpreter == nil
                    ? "link it statically and say \"linkage\": \"static\""
                    : "scripts use \"profile\": \"runtime\"")
        }
        guard profile != .native || interpreter == .python3 else {
            throw reader.failure(
                .membersContradict,
                "the profile \"native\" is for python3, which alone loads modules of machine code",
                at: position)
        }
        guard interpreter != nil || platform != .any else {
            throw reader.failure(
                .membersContradict, "an executable must name the platform that it is for", at: position)
        }
    }
}

extension PackagedFile {
    static func list(
        _ reader: inout ManifestReader, artifacts: [Artifact], form: Manifest.Form
    ) throws(Diagnostic) -> [PackagedFile] {
        let node = form == .signed ? try reader.required("files") : reader.optional("files")
        guard let node else { return [] }
        var files: [PackagedFile] = []
        for member in try reader.map(node, path: "files", maximum: 480) {
            try reader.checkPackagePath(member.name, path: "files", at: member.position)
            let text = try reader.string(member.value, path: "files.\(member.name)")
            // An author names what is to be packed; the digest comes when it is.
            if form == .authored, text.isEmpty {
                files.append(PackagedFile(path: member.name, sha256: ""))
                continue
            }
            guard text.hasPrefix("sha256:"), Spelling.isSHA256(String(text.dropFirst(7))) else {
                throw reader.failure(
                    .notADigest, "\"files.\(member.name)\" is not a digest", at: member.value,
                    help: "write \"sha256:\" and 64 lower-case hexadecimal digits")
            }
            files.append(PackagedFile(path: member.name, sha256: String(text.dropFirst(7))))
        }
        // `a` and `a/b` cannot both be files; found here rather than when the package is unpacked.
        let all = files.map(\.path) + artifacts.map(\.path)
        try reader.checkUnique(all, path: "files", at: node)
        let folded = Set(all.map { $0.lowercased() })
        for path in folded {
            var rest = path[...]
            while let slash = rest.lastIndex(of: "/") {
                rest = rest[..<slash]
                guard !folded.contains(String(rest)) else {
                    throw reader.failure(
                        .namedTwice, "\"files\" names one path as both a file and a folder", at: node)
                }
            }
        }
        return files
    }
}

extension ManifestReader {
    func packagePath(_ node: JSONNode, path: String) throws(Diagnostic) -> String {
        let text = try string(node, path: path)
        try checkPackagePath(text, path: path, at: node.position)
        return text
    }

    func checkPackagePath(_ text: String, path: String, at position: JSONPosition) throws(Diagnostic) {
        guard Spelling.isPackagePath(text) else {
            throw failure(
                .pathNotAllowed, "\"\(path)\" is not a path within the package", at: position,
                help:
                    "at most 100 letters, digits, \".\", \"_\", \"-\" and \"/\"; no part begins with \".\" or \"-\""
            )
        }
        guard text.lowercased() != "manifest.dsse.json" else {
            throw failure(.pathNotAllowed, "\"\(path)\" names the envelope itself", at: position)
        }
    }

    mutating func digest(_ name: String, prefix: String, form: Manifest.Form) throws(Diagnostic) -> String? {
        guard let node = form == .signed ? try required(name) : optional(name) else { return nil }
        let text = try string(node, path: path(of: name))
        guard Spelling.isSHA256(text) else {
            throw failure(
                .notADigest, "\"\(path(of: name))\" is not a digest", at: node,
                help: "write 64 lower-case hexadecimal digits")
        }
        return text
    }
}
