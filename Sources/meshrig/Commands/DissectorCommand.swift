internal import Reporting

/// Prints what Wireshark needs to read captures.
enum DissectorCommand {
    static let command = Command(
        "dissector", "Prints the Wireshark dissector for captures of `meshrig run --pcap`, in Lua.",
        notes: """
            tshark -X lua_script:meshcore.lua -r run.pcapng
            tshark -X lua_script:meshcore.lua -r run.pcapng -Y 'meshcore.type==4' -T fields -e meshcore.advert.name
            Fields of packets are meshcore.…, those of the host link meshcore_companion.FRAME.FIELD.
            """,
        example: "meshrig dissector > meshcore.lua"
    ) { arguments, output in
        _ = try arguments.words(upTo: 0)
        output.write(DissectorScript.text(version: Program.version))
        return 0
    }
}
