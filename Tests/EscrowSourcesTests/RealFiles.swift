import Glibc

/// Files of public packages, which `scripts/packages test` installs or unpacks: conformance is tested with what others wrote.
enum RealFiles {
    /// The paths of a package whose names end so, in their order; nil, after a word, if it is not there.
    static func paths(of package: String, _ ending: String) -> [String]? {
        let python = Repository.root + "/.build/python"
        // The sample mails of Python's own tests.
        let mails = ["3.11", "3.12", "3.13"].map { "/usr/lib/python\($0)/test/test_email/data" }
        if package == "samples" {
            return [Repository.samples, Repository.root + "/Tests/Vectors/calendar"].flatMap(walk)
        }
        let libraries = names(in: python + "/lib").map { "\(python)/lib/\($0)/site-packages/\(package)" }
        for folder in ["\(python)/\(package)"] + libraries + (package == "python-mails" ? mails : []) {
            let paths = walk(folder).filter { $0.hasSuffix(ending) }
            if !paths.isEmpty { return paths }
        }
        print("SKIP: \(package)'s own files are not there; scripts/packages test fetches them")
        return nil
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    private static func walk(_ folder: String) -> [String] {
        names(in: folder).flatMap { name in
            let path = folder + "/" + name
            let below = walk(path)
            return below.isEmpty ? [path] : below
        }
    }
}
