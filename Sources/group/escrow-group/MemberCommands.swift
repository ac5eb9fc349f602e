import ArgumentParser
import EscrowDiagnostics
import EscrowFiles
import EscrowGroup
import EscrowGroupDevice
import EscrowJSON
import EscrowMeeting

/// Who somebody is to the others.
struct PersonOptions: ParsableArguments {
    @Option(help: "Your name, as the others see it.")
    var name: String
    @Option(help: "Your mail address, as the others see it.")
    var email = ""
}

struct CreateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Begin a group at servers, and own it.")
    @OptionGroup var group: GroupOptions
    @OptionGroup var person: PersonOptions
    @Option(help: "The app whose group it is, for example org.example.accounts.")
    var app: String?
    @Option(name: .customLong("class"), help: "A class of objects that is shared; once for each.")
    var classes: [String] = []
    @Flag(help: "A group of your own devices, for `escrow group devices`, and of no app.")
    var ownDevices = false
    @Option(help: "A server: https://HOST:PORT#sha256//DIGEST, as it says when it starts; once for each.")
    var server: [String]
    @Option(help: "k: how many servers a message is read from.")
    var threshold = 2
    @Option(
        help:
            "s: how many must have taken a message; near k the sender is done early, near n receivers miss less."
    )
    var accepted: Int?
    @Option(help: "For how many seconds servers keep a message.")
    var timeToLive = 86_400.0
    @Option(
        help: "Of two changes at once: newest-wins keeps the later, merging keeps both where they differ.")
    var rule = "newest-wins"

    func run() throws {
        guard let rule = Rule(rawValue: rule) else {
            throw ValidationError("--rule is \(Rule.allCases.map(\.rawValue).joined(separator: " or "))")
        }
        guard ownDevices == (app == nil), ownDevices == classes.isEmpty else {
            throw ValidationError("say --app and --class, or --own-devices")
        }
        guard !ownDevices || rule == .newestWins else {
            throw ValidationError("what your devices have in common is of the rule newest-wins")
        }
        guard timeToLive > 0, timeToLive < 1e9 else {
            throw ValidationError("--time-to-live is a time in seconds")
        }
        try Candidate(group.folder(), name: person.name, email: person.email).create(
            GroupPlan(
                name: group.group, appId: app ?? OwnDevices.app,
                entities: ownDevices ? OwnDevices.classes : classes, rule: rule,
                timeToLive: Int64(timeToLive * 1000), servers: server, threshold: threshold,
                accepted: accepted ?? threshold))
        Output.print(try group.device().description)
    }
}

struct IntroduceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "introduce", abstract: "Write what a group's owner needs to invite this device.")
    @OptionGroup var group: GroupOptions
    @OptionGroup var person: PersonOptions
    @Option(help: "The file to write; hand it to the owner, and tell the code by word of mouth.")
    var out: String
    @Flag(help: "Also show the file as a QR code, for the owner's camera.")
    var qr = false

    func run() throws {
        let candidate = try Candidate(group.folder(), name: person.name, email: person.email)
        try Paper(out).write(candidate.introduction)
        if qr { Near.show(String(decoding: JSONWriter.line(candidate.introduction.json), as: UTF8.self)) }
        Output.print(["code": .string(candidate.introduction.code)])
    }
}

struct InviteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Take somebody in who introduced themselves.")
    @OptionGroup var group: GroupOptions
    @Option(help: "The file that they handed over.")
    var introduction: String?
    @Option(help: "The code that their device showed; - has it typed, or reads it from stdin.")
    var code: String?
    @Option(help: "The file to write; hand it to them, and tell them the code that is printed.")
    var out: String?
    @Flag(help: "Wait for their device on this network, and show a QR code with where and the code.")
    var near = false
    @Option(help: "With --near: the address of this machine to wait at.")
    var listen: String?
    @Option(help: "With --near: for how many seconds, all that is said with them included.")
    var wait: Int32 = 300

    func validate() throws {
        let files = [introduction, code, out].compactMap { $0 }.count
        guard files == (near ? 0 : 3) else {
            throw ValidationError("say --near, or --introduction, --code and --out")
        }
        guard wait > 0 else { throw ValidationError("--wait is a number of seconds") }
    }

    func run() throws {
        guard let introduction, let code, let out else {
            return try Near.invite(group, at: listen, seconds: wait)
        }
        let newcomer = try Paper(introduction).introduction()
        let paper = Paper(out)
        try paper.check()
        let typed = try TypedCode.read(code)
        let invitation = try group.device().invite(newcomer, code: typed, at: Output.now)
        try paper.write(invitation)
        Output.print([
            "code": .string(invitation.owner.code), "member": .string(newcomer.profile.id),
        ])
    }
}

struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join with an owner's invitation, or take another letter of theirs.")
    @OptionGroup var group: GroupOptions
    @Option(help: "The file that the owner handed over.")
    var invitation: String?
    @Option(
        help: """
            The code that the owner's device showed; - has it typed, or reads it from stdin, where no other user of this machine \
            sees it. A member needs none.
            """)
    var code: String?
    @Option(help: "Where the owner's device waits: ADDRESS:PORT, or what its QR code says.")
    var near: String?
    @Option(help: "With --near: your name, as the others see it.")
    var name: String?
    @Option(help: "With --near: your mail address, as the others see it.")
    var email = ""

    func validate() throws {
        guard (invitation == nil) == (near != nil), (near == nil) == (name == nil) else {
            throw ValidationError("say --invitation, or --near and --name")
        }
    }

    func run() throws {
        guard let invitation else {
            let near = near ?? ""
            let link = MeetingLink(near)
            guard link != nil || !MeetingLink.isLink(near) else {
                throw ValidationError(
                    "this is not what an owner's QR code says: take the address and the code")
            }
            guard let code = try link?.code ?? code.map(TypedCode.read) else {
                throw ValidationError(
                    "--near goes with --code -, which has you type what the owner's device shows, or --code N"
                )
            }
            let candidate = try Candidate(group.folder(), name: name ?? "", email: email)
            try Near.join(candidate, at: link?.place ?? near, code: code)
            return Output.print(try group.device().description)
        }
        let letter = try Paper(invitation).invitation()
        if let code {
            try Candidate(group.folder(), name: "", email: "").join(
                letter, code: TypedCode.read(code))
        } else {
            try group.device().take(letter)
        }
        Output.print(try group.device().description)
    }
}

struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Shut a member out: a new key for all others.",
        discussion: """
            Tells the servers and the others at once. While a server still holds the member's access, or too few took the letter \
            to the others, it says so and ends with 19 (E1195); each sync tries again, and so does this command.
            """)
    @OptionGroup var group: GroupOptions
    @Argument(help: "The member's node, as show prints it.")
    var member: String

    func run() throws {
        let device = try group.device()
        try device.remove(member)
        let report = try device.sync(at: Output.now)
        let servers = try device.stillAdmitted[member] ?? []
        Output.print([
            "removed": .string(member), "stillAdmittedAt": .array(servers.map { .string($0) }),
            "waiting": .integer(Int64(report.waiting)),
        ])
        let help = """
            escrow group sync \(group.group) tries again, as any later one does; when a server does not come back: \
            escrow group move
            """
        guard servers.isEmpty else {
            throw Diagnostic(
                .tooFewServers,
                "the member is removed, but its access is still good at \(servers.joined(separator: ", "))",
                notes: ["until it is not, it may read what members write who have not heard of the removal"],
                help: help)
        }
        guard report.waiting == 0 else {
            throw Diagnostic(
                .tooFewServers,
                "the member is removed, but too few servers took what tells the others of it",
                notes: ["until they hear of it, they take the removed member for one of them"], help: help)
        }
    }
}

struct LeaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Say that this device leaves; the next sync tells the owner.")
    @OptionGroup var group: GroupOptions

    func run() throws {
        try group.device().leave(at: Output.now)
        Output.print(["left": .string(group.group)])
    }
}

struct MoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Meet at other servers; the data is on the devices.")
    @OptionGroup var group: GroupOptions
    @Option(help: "A new server; once for each.")
    var server: [String]
    @Option(help: "k: how many servers a message is read from.")
    var threshold = 2
    @Option(help: "s: how many must have taken a message.")
    var accepted: Int?
    @Option(
        help:
            "The folder for a letter to each member, MEMBER.json, for those whom the old servers do not reach."
    )
    var out: String

    func run() throws {
        // Before the group is elsewhere: without letters nobody else would find it.
        try SecureFile.makeFolder(out)
        try Paper("\(out)/letter").check()
        let letters = try group.device().move(
            to: server, threshold: threshold, accepted: accepted ?? threshold, at: Output.now)
        for (member, letter) in letters.sorted(by: { $0.key < $1.key }) {
            try Paper("\(out)/\(member).json").write(letter)
            Output.print(["member": .string(member), "letter": .string("\(out)/\(member).json")])
        }
    }
}
