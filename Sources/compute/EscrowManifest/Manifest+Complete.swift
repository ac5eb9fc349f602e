public import EscrowDiagnostics
import EscrowJSON

extension Manifest {
    /// Turns an author's manifest into the bytes that are signed: `$schema` goes, digests and sizes of programs, `files`,
    /// `issued` and `expires` come; everything else stays in the order in which the author wrote it.
    ///
    /// The result is read again by the rules for signed manifests, so that nothing is signed which no host would take.
    public static func complete(
        authorBytes: [UInt8], file: String, artifacts: [(path: String, sha256: String, size: Int)],
        files: [PackagedFile], issued: Moment, expires: Moment
    ) throws(Diagnostic) -> [UInt8] {
        _ = try parseAuthored(authorBytes, file: file)
        let root: JSONNode
        do { root = try JSONParser.parse(authorBytes) } catch { throw .manifest(error, path: "", file: file) }
        guard let members = root.value.members else { return [] }
        let filled: [(name: String, value: JSONValue)] = [
            (
                "files",
                .object(
                    files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
                        .map { ($0.path, .string("sha256:" + $0.sha256)) })
            ),
            ("issued", .string(issued.description)), ("expires", .string(expires.description)),
        ]
        var output: [(name: String, value: JSONValue)] = []
        for member in members where member.name != "$schema" {
            if let replacement = filled.first(where: { $0.name == member.name }) {
                output.append(replacement)
            } else if member.name == "artifacts" {
                output.append((member.name, complete(member.value, artifacts)))
            } else {
                output.append(member)
            }
        }
        for member in filled where !output.contains(where: { $0.name == member.name }) {
            output.append(member)
        }
        let bytes = JSONWriter.document(.object(output))
        _ = try parse(bytes, file: file)
        return bytes
    }

    private static func complete(
        _ value: JSONValue, _ digests: [(path: String, sha256: String, size: Int)]
    ) -> JSONValue {
        .array(
            (value.array ?? []).map { artifact in
                guard let members = artifact.members, let path = artifact["path"]?.string,
                    let digest = digests.first(where: { $0.path == path })
                else { return artifact }
                let kept = members.filter { $0.name != "sha256" && $0.name != "size" }
                return .object(
                    kept + [("sha256", .string(digest.sha256)), ("size", .integer(Int64(digest.size)))])
            })
    }
}
