package userpool

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"gatewright/model"
	"gatewright/sandbox/identity/pool"
	"gatewright/sandbox/identity/userpool/record"
)

type poolInput struct {
	UserPoolID string `json:"UserPoolId"`
}

type passwordPolicyOutput struct {
	MinimumLength                 int  `json:"MinimumLength"`
	RequireUppercase              bool `json:"RequireUppercase"`
	RequireLowercase              bool `json:"RequireLowercase"`
	RequireNumbers                bool `json:"RequireNumbers"`
	RequireSymbols                bool `json:"RequireSymbols"`
	TemporaryPasswordValidityDays int  `json:"TemporaryPasswordValidityDays"`
}

type schemaAttributeOutput struct {
	model.SchemaAttribute
	DeveloperOnlyAttribute bool `json:"DeveloperOnlyAttribute"`
}

// userPoolOutput is UserPoolType of the cloud's API, with the fields that a project defines.
type userPoolOutput struct {
	ID       string `json:"Id"`
	Name     string `json:"Name"`
	ARN      string `json:"Arn"`
	Policies struct {
		PasswordPolicy passwordPolicyOutput `json:"PasswordPolicy"`
	} `json:"Policies"`
	SchemaAttributes       []schemaAttributeOutput `json:"SchemaAttributes"`
	AutoVerifiedAttributes []string                `json:"AutoVerifiedAttributes"`
	AliasAttributes        []string                `json:"AliasAttributes,omitempty"`
	UsernameAttributes     []string                `json:"UsernameAttributes,omitempty"`
	UsernameConfiguration  struct {
		CaseSensitive bool `json:"CaseSensitive"`
	} `json:"UsernameConfiguration"`
	MFAConfiguration       string `json:"MfaConfiguration"`
	EstimatedNumberOfUsers int    `json:"EstimatedNumberOfUsers"`
	AdminCreateUserConfig  struct {
		AllowAdminCreateUserOnly bool `json:"AllowAdminCreateUserOnly"`
	} `json:"AdminCreateUserConfig"`
	CreationDate     *epoch `json:"CreationDate,omitempty"`
	LastModifiedDate *epoch `json:"LastModifiedDate,omitempty"`
}

func (p *Pools) describeUserPool(cfg pool.Pool, in *poolInput) (map[string]*userPoolOutput, error) {
	policy, names, rule := policyOf(cfg), record.NameRulesOf(cfg), mfaOf(cfg)
	d := &userPoolOutput{
		ID: cfg.UserPoolID, Name: poolName(cfg),
		ARN:              model.ARN("cognito-idp", cfg.Region, cfg.AccountID, "userpool/"+cfg.UserPoolID),
		SchemaAttributes: schemaOf(cfg), AutoVerifiedAttributes: verifiedAddresses(cfg), MFAConfiguration: "OFF",
	}
	d.Policies.PasswordPolicy = passwordPolicyOutput{
		*policy.MinLength, *policy.RequireUppercase, *policy.RequireLowercase, *policy.RequireNumbers, *policy.RequireSymbols,
		int(temporaryPasswordLife / (24 * time.Hour)),
	}
	if names.ChosenName {
		d.AliasAttributes = names.Addresses
	} else {
		d.UsernameAttributes = names.Addresses
	}
	switch {
	case rule.required:
		d.MFAConfiguration = "ON"
	case rule.sms || rule.totp:
		d.MFAConfiguration = "OPTIONAL"
	}
	return map[string]*userPoolOutput{"UserPool": d}, p.view(cfg, func(r record.Records) error {
		if r.Bucket == nil {
			return nil
		}
		d.EstimatedNumberOfUsers = r.Bucket.Bucket(record.UsersBucket).Len()
		var created time.Time
		err := created.UnmarshalText(r.Bucket.Get(record.CreatedKey))
		d.CreationDate, d.LastModifiedDate = (*epoch)(&created), (*epoch)(&created)
		return err
	})
}

// poolName is the pool's name for people.
func poolName(cfg pool.Pool) string { return cmp.Or(cfg.Environment, cfg.Name()) }

// clientName is the name of a client for people.
func clientName(cfg pool.Pool, id string) string {
	if id == cfg.NativeClientID {
		return poolName(cfg) + "-native"
	}
	return poolName(cfg)
}

func schemaOf(cfg pool.Pool) []schemaAttributeOutput {
	schema := make([]schemaAttributeOutput, len(standardAttributes))
	for i, name := range standardAttributes {
		a := schemaAttributeOutput{SchemaAttribute: model.SchemaAttribute{
			Name: name, AttributeDataType: "String", Mutable: name != "sub", Required: name == "sub",
		}}
		switch name {
		case "email_verified", "phone_number_verified":
			a.AttributeDataType = "Boolean"
		case "updated_at":
			a.AttributeDataType = "Number"
		}
		if cfg.Definition != nil && slices.Contains(cfg.Definition.StandardRequiredAttributes, name) {
			a.Required = true
		}
		schema[i] = a
	}
	if cfg.Definition == nil {
		return schema
	}
	for _, name := range slices.Sorted(maps.Keys(cfg.Definition.CustomAttributes)) {
		a := cfg.Definition.CustomAttributes[name].Schema(model.CustomPrefix + name)
		schema = append(schema, schemaAttributeOutput{SchemaAttribute: a})
	}
	return schema
}

type clientInput struct {
	UserPoolID string `json:"UserPoolId"`
	ClientID   string `json:"ClientId"`
}

type userPoolClientOutput struct {
	UserPoolID                 string            `json:"UserPoolId"`
	ClientID                   string            `json:"ClientId"`
	ClientName                 string            `json:"ClientName"`
	RefreshTokenValidity       int               `json:"RefreshTokenValidity,omitzero"`
	AccessTokenValidity        int               `json:"AccessTokenValidity,omitzero"`
	IDTokenValidity            int               `json:"IdTokenValidity,omitzero"`
	TokenValidityUnits         map[string]string `json:"TokenValidityUnits,omitempty"`
	ExplicitAuthFlows          []string          `json:"ExplicitAuthFlows,omitempty"`
	PreventUserExistenceErrors string            `json:"PreventUserExistenceErrors,omitempty"`
	EnableTokenRevocation      bool              `json:"EnableTokenRevocation,omitzero"`
	AuthSessionValidity        int               `json:"AuthSessionValidity,omitzero"`
}

func (p *Pools) describeUserPoolClient(cfg pool.Pool, in *clientInput) (map[string]userPoolClientOutput, error) {
	set, units := cfg.Definition.Lifetimes(), make(map[string]string)
	validity := func(token string, byDefault int) int {
		l, given := set[token]
		if !given {
			return byDefault
		}
		units[token+"Token"] = l.Unit
		return l.Count
	}
	return map[string]userPoolClientOutput{"UserPoolClient": {
		UserPoolID: cfg.UserPoolID, ClientID: in.ClientID, ClientName: clientName(cfg, in.ClientID),
		RefreshTokenValidity: validity("Refresh", 30), AccessTokenValidity: validity("Access", 1),
		IDTokenValidity: validity("Id", 1), TokenValidityUnits: units,
		ExplicitAuthFlows:          cfg.Flows(),
		PreventUserExistenceErrors: "ENABLED", EnableTokenRevocation: true,
		AuthSessionValidity: int(record.SignInLife / time.Minute),
	}}, nil
}

type listPoolsInput struct {
	MaxResults *int   `json:"MaxResults"`
	NextToken  string `json:"NextToken"`
}

type userPoolDescription struct {
	ID   string `json:"Id"`
	Name string `json:"Name"`
}

type listPoolsOutput struct {
	UserPools []userPoolDescription `json:"UserPools"`
	NextToken string                `json:"NextToken,omitempty"`
}

func (p *Pools) listUserPools(in *listPoolsInput) (*listPoolsOutput, error) {
	served := p.served.Load()
	var ids []string
	for _, cfg := range served.order {
		ids = append(ids, cfg.UserPoolID)
	}
	shown, next, err := page(ids, in.MaxResults, in.NextToken, func(id string) userPoolDescription {
		return userPoolDescription{id, poolName(served.byID[id])}
	})
	return &listPoolsOutput{shown, next}, err
}

type listClientsInput struct {
	UserPoolID string `json:"UserPoolId"`
	MaxResults *int   `json:"MaxResults" need:"no"`
	NextToken  string `json:"NextToken"`
}

type listClientsOutput struct {
	UserPoolClients []userPoolClientOutput `json:"UserPoolClients"`
	NextToken       string                 `json:"NextToken,omitempty"`
}

func (p *Pools) listUserPoolClients(cfg pool.Pool, in *listClientsInput) (*listClientsOutput, error) {
	served := p.served.Load()
	var ids []string
	for id, cfg := range served.clients {
		if cfg.UserPoolID == in.UserPoolID {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	shown, next, err := page(ids, in.MaxResults, in.NextToken, func(id string) userPoolClientOutput {
		return userPoolClientOutput{UserPoolID: in.UserPoolID, ClientID: id, ClientName: clientName(served.clients[id], id)}
	})
	return &listClientsOutput{shown, next}, err
}
