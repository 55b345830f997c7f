"""Mutation tests: does any scenario notice a small change of the code?"""
