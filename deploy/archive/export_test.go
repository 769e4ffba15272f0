package archive

import "context"

// Build is BuildAll for one source.
func (b *Builder) Build(ctx context.Context, s Source, tell func(Progress)) (Archive, error) {
	archives, err := b.BuildAll(ctx, []Source{s}, tell)
	if err != nil {
		return Archive{}, err
	}
	return archives[0], nil
}
