/// The files of a new plugin: it counts contacts, in each language, and its one test case passes.
struct PluginTemplate {
    let name: String
    let id: String
    let language: String
    let kit: Kit

    struct File {
        let path: String
        let what: String
        let text: String
    }

    var files: [File] {
        [File(path: "plugin.json", what: "what it may see, return and use    ← start here", text: manifest)]
            + sources + [
                File(
                    path: "Tests/cases/basic.json", what: "rows in, expected result out", text: Self.testCase),
                File(path: "README.md", what: "what it is for", text: "# \(name)\n\nCounts contacts.\n"),
            ]
    }

    private var manifest: String {
        let isScript = language == "python" || language == "jq"
        let mode = language == "jq" ? #""mode": "filter", "input": "ndjson""# : #""mode": "ask""#
        let artifact =
            switch language {
            case "python": #"{ "platform": "any", "path": "main.py", "interpreter": "python3" }"#
            case "jq": #"{ "platform": "any", "path": "main.jq", "interpreter": "jq" }"#
            default:
                #"{ "platform": "\#(Self.platform)", "path": "bin/\#(Self.platform)/\#(name)", "linkage": "static" }"#
            }
        return """
            {
              "schema": "escrow.plugin/1",
              "id": "\(id)",
              "version": "0.1.0",
              "sequence": 1,
              "title": "\(name)",
              "purpose": { "code": "aggregate-statistics", "text": "Count the contacts that have a family name." },
              "publisher": { "name": "Your name", "contact": "Where people reach you" },
              "host": ">=0.1.0 <1.0.0",
              "protocol": { "major": 1, \(mode), "features": ["rows"] },
              "accepts": {
                "columns": [ { "name": "familyName", "type": "text", "why": "whether there is one" } ],
                "reads": { "Contacts": ["familyName"] }
              },
              "defaultAccess": { "sql": "SELECT familyName FROM Contacts" },
              "result": {
                "kind": "record",
                "fields": {
                  "contacts": { "type": "integer", "min": 0, "learns": "how many contacts there are" },
                  "named": { "type": "integer", "min": 0, "learns": "how many have a family name" }
                },
                "maxBytes": 128
              },
              "egress": [],
              "limits": { "wallSeconds": 10, "cpuSeconds": 5, "memoryMiB": \(isScript ? 128 : 64) },
              "sandbox": { "profile": "\(isScript ? "runtime" : "strict")" },
              "artifacts": [ \(artifact) ]
            }

            """
    }

    private var sources: [File] {
        switch language {
        case "swift":
            [
                File(
                    path: "Package.swift", what: "builds it",
                    text: """
                        // swift-tools-version: 6.2
                        import PackageDescription

                        let package = Package(
                            name: "\(name)",
                            dependencies: [.package(name: "escrow", path: "\(kit.folder)/swift")],
                            targets: [
                                .executableTarget(
                                    name: "\(name)", dependencies: [.product(name: "EscrowPlugin", package: "escrow")],
                                    path: "Sources")
                            ]
                        )

                        """),
                File(
                    path: "Sources/Plugin.swift", what: "the computation",
                    text: """
                        import EscrowPlugin

                        @main struct Plugin: ComputePlugin {
                            func compute(_ run: borrowing Run) throws -> Result {
                                var contacts = 0
                                var named = 0
                                for row in run.rows {
                                    contacts += 1
                                    if try !row.isNull("familyName") { named += 1 }
                                }
                                return ["contacts": .integer(contacts), "named": .integer(named)]
                            }
                        }

                        """),
            ]
        case "python":
            [
                File(
                    path: "main.py", what: "the computation",
                    text: """
                        import sys

                        sys.path.insert(0, __file__.rpartition("/")[0])  # python3 -I keeps a script's own folder out
                        from escrow_plugin import plugin


                        def compute(run):
                            contacts = named = 0
                            for row in run.rows():
                                contacts += 1
                                named += row["familyName"] is not None
                            return {"contacts": contacts, "named": named}


                        plugin(compute)

                        """),
                File(path: "escrow_plugin.py", what: "the kit", text: kit.text("python/escrow_plugin.py")),
            ]
        case "c":
            [
                File(
                    path: "main.c", what: "the computation",
                    text: """
                        #include "escrow_plugin.h"

                        static void compute(escrow_run *run) {
                            int name = escrow_column(run, "familyName");
                            int64_t contacts = 0, named = 0;
                            while (escrow_next_row(run)) {
                                contacts++;
                                if (!escrow_is_null(run, name)) named++;
                            }
                            escrow_begin_record(run);
                            escrow_put_integer(run, "contacts", contacts);
                            escrow_put_integer(run, "named", named);
                        }

                        ESCROW_PLUGIN(compute)

                        """),
                File(path: "escrow_plugin.h", what: "the kit", text: kit.text("c/escrow_plugin.h")),
                File(
                    path: "Makefile", what: "builds it",
                    text: """
                        bin/\(Self.platform)/\(name): main.c escrow_plugin.h
                        \tmkdir -p $(@D)
                        \tcc -O2 -std=gnu11 -static -o $@ main.c

                        """),
            ]
        default:
            [
                File(
                    path: "main.jq", what: "the computation",
                    text: """
                        # One row {"familyName":"…"} a line; run as: jq -n -f main.jq
                        [inputs] | {contacts: length, named: map(select(.familyName != null)) | length}

                        """)
            ]
        }
    }

    private static let testCase = """
        {
          "name": "one of three has no family name",
          "rows": [["Adams"], [null], ["Zhou"]],
          "expect": { "result": { "contacts": 3, "named": 2 } }
        }

        """

    private static var platform: String {
        #if arch(arm64)
        "linux-aarch64"
        #else
        "linux-x86_64"
        #endif
    }
}
