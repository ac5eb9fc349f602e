import ArgumentParser
import EscrowDiagnostics
import EscrowServerService
import Glibc

/// Where the server's folder is.
struct FolderOption: ParsableArguments {
    @Option(help: "The server's folder.") var folder: String

    func open() throws(Diagnostic) -> ServerHome { try ServerHome.open(at: folder) }
}

/// Words for people, on stdout.
func say(_ words: String) {
    let line = Array((words + "\n").utf8)
    _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}
