import Foundation
import TemporaryFolder
import Testing

/// A confined program has no part in the person's terminal while they are back at their shell.
@Suite(.enabled(if: Confinement.works, "SKIP: bubblewrap is missing, or cannot make its walls here"))
struct ConfinedTerminalTests {
    /// A shell with job control on a terminal of its own, in which `$RUN` runs a confined program.
    private func shell(_ service: RunningService) throws -> TypedTerminal {
        let folder = service.escrow.folder.path
        let run = "\(Escrow.program.path) app run org.example.app --runtime \(service.runtime.url.path) --"
        let terminal = try TypedTerminal(
            ["--ctty", "--wait", "/bin/bash", "--norc", "--noprofile", "-i"], home: service.escrow.home,
            showsOutput: true, program: URL(filePath: "/usr/bin/setsid"),
            with: [
                "RUN": run, "PS1": "back> ", "TERM": "dumb", "XDG_STATE_HOME": folder + "/state",
                "HISTFILE": "",
            ])
        // What is typed is shown by its effect alone.
        terminal.type("stty -echo; echo rea''dy")
        try terminal.expectNext("ready")
        try terminal.expectNext("back> ")
        return terminal
    }

    /// Notes each line that it reads, and says so.
    private static let reader = #"sh -c 'echo begun; while read -r l; do echo "READ<$l>"; done; echo ended'"#

    @Test func afterControlZWhatIsTypedAtTheShellIsTheShells() throws {
        let service = try RunningService(try Escrow(trusting: false))
        let terminal = try shell(service)
        terminal.type("$RUN \(Self.reader)")
        try terminal.expectNext("begun")
        terminal.type("mine")
        try terminal.expectNext("READ<mine>")
        terminal.press(0x1A)
        try terminal.expectNext("Stopped")
        try terminal.expectNext("back> ")
        for number in 1...5 {
            terminal.type("echo answer-$((\(number) * 100))")
            try terminal.expectNext("answer-\(number)00")
        }
        // The program goes on where it was.
        terminal.type("fg")
        try terminal.expectNext("$RUN")
        terminal.type("again")
        try terminal.expectNext("READ<again>")
        terminal.press(0x04)
        try terminal.expectNext("ended")
        try terminal.expectNext("back> ")
        terminal.type("echo status $?; exit")
        try terminal.expectNext("status 0")
        _ = try terminal.end()
        #expect(!terminal.shown.contains("READ<echo"), "\(terminal.shown)")
    }

    @Test func controlCIsTheProgramsThatGoesOn() throws {
        let service = try RunningService(try Escrow(trusting: false))
        let terminal = try shell(service)
        terminal.type(
            "$RUN sh -c 'trap \"echo caught\" INT; echo begun; while ! read -r l; do :; done; echo \"READ<$l>\"'"
        )
        try terminal.expectNext("begun")
        terminal.press(0x03)
        try terminal.expectNext("caught")
        terminal.type("mine")
        try terminal.expectNext("READ<mine>")
        try terminal.expectNext("back> ")
        terminal.type("echo status $?; exit")
        try terminal.expectNext("status 0")
        _ = try terminal.end()
    }

    @Test func inTheBackgroundItReadsNothing() throws {
        let service = try RunningService(try Escrow(trusting: false))
        let terminal = try shell(service)
        terminal.type("$RUN \(Self.reader) &")
        try terminal.expectNext("begun")
        for number in 1...5 {
            terminal.type("echo answer-$((\(number) * 100))")
            try terminal.expectNext("answer-\(number)00")
        }
        terminal.type("kill %1; wait %1; echo status $?; exit")
        try terminal.expectNext("status 143")
        _ = try terminal.end()
        #expect(!terminal.shown.contains("READ<echo"), "\(terminal.shown)")
    }

    @Test func itsTerminalIsAsLargeAndControlCEndsIt() throws {
        let service = try RunningService(try Escrow(trusting: false))
        let terminal = try shell(service)
        terminal.type(
            "stty rows 33 cols 101; $RUN sh -c 'stty size; test -t 0 && test -t 1 && echo both; cat'")
        try terminal.expectNext("33 101")
        try terminal.expectNext("both")
        // Only what runs already is told: a shell that is about to start it would wait for it.
        terminal.type("line")
        try terminal.expectNext("line")
        terminal.press(0x03)
        try terminal.expectNext("back> ")
        terminal.type("echo status $?; stty -a | grep -o ' icanon'; exit")
        try terminal.expectNext("status 130")
        try terminal.expectNext("icanon")
        _ = try terminal.end()
    }

    /// In a pipeline another program may ask for a passphrase on the same terminal.
    @Test func inAPipelineItIsGivenNoKeys() throws {
        let service = try RunningService(try Escrow(trusting: false))
        let terminal = try shell(service)
        terminal.type(
            "$RUN sh -c 'echo begun; read -r l; echo \"READ<$l>\"' | { read -r l; read -r x </dev/tty; echo got-$x; }"
        )
        terminal.type("secret")
        try terminal.expectNext("got-secret")
        terminal.press(0x03)
        try terminal.expectNext("back> ")
        #expect(!terminal.shown.contains("READ<secret>"))
    }
}
