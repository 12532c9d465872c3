internal import ClientServices
internal import ScenarioModel

extension ClientSettingsDocument {
    /// The client's own habits with what the file says instead.
    var configuration: ServiceConfiguration {
        var configuration = ServiceConfiguration()
        if let value = fetchesAutomatically { configuration.fetchesAutomatically = value }
        if let value = isInBackground { configuration.isInBackground = value }
        if let value = confirmationLimit { configuration.confirmationLimit = value }
        if let value = giveUpAfter { configuration.giveUpAfter = value }
        if let value = heartbeat { configuration.heartbeatInterval = value }
        return configuration
    }
}
