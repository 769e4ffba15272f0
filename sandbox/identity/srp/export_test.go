package srp

import "math/big"

// ClientOf is a client with a known secret number.
func ClientOf(secret *big.Int) *Client {
	return &Client{secret: secret, public: new(big.Int).Exp(generator, secret, prime)}
}
