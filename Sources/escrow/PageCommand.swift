import ArgumentParser
import EscrowConsole
import EscrowJSON
import EscrowPageServer
import Glibc

struct PageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "page",
        abstract: "Open a page of your own: answer what waits, see every dataflow, change what you decided.",
        discussion: """
            The page is served by this command at this machine's own address, to the one browser that opens it first, until \
            the command is ended (Ctrl-C). Its address works once, and for five minutes.
            """)
    @Flag(help: "Print the address alone, and open no browser.") var noBrowser = false
    @OptionGroup var home: HomeOptions
    @OptionGroup var format: FormatOptions

    func run() throws {
        let server = try PageServer(host: try home.open())
        if format.isJSON {
            Console.line(["address": .string(server.address)])
        } else if noBrowser {
            Console.line(server.address)
        } else {
            Console.say("your page, until you end this command: \(server.address)")
            if !Self.open(server.address) {
                Console.say("no browser could be started: open that address in one")
            }
        }
        while true { pause() }
    }

    /// Asks the desktop to open it.
    private static func open(_ address: String) -> Bool {
        guard getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil else { return false }
        let words = ["xdg-open", address]
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var child = pid_t()
        guard posix_spawnp(&child, words[0], nil, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return status == 0
    }
}
