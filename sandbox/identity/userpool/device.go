package userpool

import "gatewright/sandbox/identity/wire"

type deviceInput struct {
	AccessToken string `json:"AccessToken"`
	DeviceKey   string `json:"DeviceKey"`
}

func (in *deviceInput) check(c *constraints) {
	if in.AccessToken != "" {
		c.token("accessToken", in.AccessToken)
	}
	c.length("deviceKey", in.DeviceKey, longestPoolID)
}

// unknownDevice answers as a pool that does not remember devices.
func (p *Pools) unknownDevice(in *deviceInput) (*emptyOutput, error) {
	if _, err := p.callerOf(in.AccessToken); err != nil {
		return nil, err
	}
	return nil, wire.Refuse("ResourceNotFoundException", "Device does not exist.")
}

type listDevicesOutput struct {
	Devices []emptyOutput `json:"Devices"`
}

func (p *Pools) listDevices(in *tokenInput) (*listDevicesOutput, error) {
	_, err := p.callerOf(in.AccessToken)
	return &listDevicesOutput{}, err
}
