import Glibc

/// A scripted host in Python: what it prints and reads is the protocol, written by hand.
///
/// The environment variable is the process's own, so that the tests that use this run one after another.
final class FakeHost {
    let folder: String

    /// Writes the script and points `ESCROW_HOST_PATH` at it; nil, with a word, where there is no Python.
    init?(_ script: String) {
        guard access("/usr/bin/python3", X_OK) == 0 else {
            print("SKIP: no /usr/bin/python3 for a scripted host")
            return nil
        }
        var template = Array("/tmp/escrow-client-XXXXXX\0".utf8CString.dropLast())
        guard mkdtemp(&template) != nil else { return nil }
        folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let text =
            """
            #!/usr/bin/python3
            import json, os, signal, sys
            folder = os.path.dirname(os.path.abspath(__file__))
            def say(value):
                sys.stdout.write(json.dumps(value) + "\\n")
                sys.stdout.flush()
            def hear():
                line = sys.stdin.readline()
                return json.loads(line) if line else None
            def note(name, text):
                with open(os.path.join(folder, name), "w") as file:
                    file.write(text)

            """ + script
        let path = folder + "/host"
        guard let file = fopen(path, "w") else { return nil }
        fputs(text, file)
        fclose(file)
        chmod(path, 0o700)
        setenv("ESCROW_HOST_PATH", path, 1)
    }

    /// What the script noted under a name.
    func noted(_ name: String) -> String? {
        guard let file = fopen(folder + "/" + name, "r") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    deinit {
        for name in ["host", "note"] { unlink(folder + "/" + name) }
        rmdir(folder)
        unsetenv("ESCROW_HOST_PATH")
    }
}
