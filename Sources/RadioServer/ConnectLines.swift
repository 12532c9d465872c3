/// The lines that tell a person how to connect each known client.
struct ConnectLines {
    let address: String
    let library: ModemLibrary.Outcome?

    /// Clients on this machine reach a server that listens everywhere by the loopback address.
    private var host: String {
        switch address {
        case "0.0.0.0": "127.0.0.1"
        case "::": "::1"
        default: address
        }
    }

    func lines(for door: ServedCompanion) -> [String] {
        lines(name: door.name, port: door.tcp.port, terminal: door.terminal?.path)
    }

    func lines(name: String, port: UInt16, terminal: String?) -> [String] {
        var lines = [
            "\(name)",
            "  TCP      \(host):\(port)",
            "  Python   MeshCore.create_tcp(\"\(host)\", \(port))",
            "  meshcli  meshcli -t \(host) -p \(port) infos",
        ]
        guard let terminal else { return lines }
        lines.append("  serial   \(terminal)")
        if case .ready(let library) = library {
            lines.append("  meshcli  LD_PRELOAD=\(library) meshcli -s \(terminal) infos")
        }
        return lines
    }

    func closing() -> [String] {
        switch library {
        case .missing(let command):
            ["Clients that set modem lines need a library for the serial paths; to build it: \(command)"]
        case .ready, nil: []
        }
    }
}
